int *f() { gets(0); return new int[3]; }
