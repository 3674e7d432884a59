"""What people said of findings: sheets to judge, marks, and the precision figures that come of them."""
