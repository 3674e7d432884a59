package p
func f() {
	defer file.Close()
}
