import os
x1 = 5
def f(a={}):
	if a == True:
		call(a)
		other(
			a)
	return None
x.load(x1)
long_name(x1)