module example.com/program

go 1.24

require github.com/ogen-go/ogen v1.24.0
