void main() { print("x"); }
