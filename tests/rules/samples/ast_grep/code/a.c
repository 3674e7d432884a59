void f(char *b) { gets(b); }
