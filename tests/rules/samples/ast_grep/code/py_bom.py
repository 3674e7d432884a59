x1 = 1
文件 = first(x1); numbers(1)
