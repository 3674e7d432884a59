const a: any = 1;
function f(x: any[]): void {}
