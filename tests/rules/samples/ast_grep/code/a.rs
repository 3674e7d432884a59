fn f() { a.b().unwrap(); }
