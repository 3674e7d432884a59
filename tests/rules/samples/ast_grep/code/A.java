class A { void f() { System.out.println(1, 2); } }
