// tine-test: fn=sum
// Neither number is the length of the array.
int sum(const short *cells, unsigned rows, unsigned columns) {
    int total = 0;
    if (rows > 2 || columns > 2)
        return -1;
    for (unsigned row = 0; row < rows; row++) {
        for (unsigned column = 0; column < columns; column++)
            total ^= cells[row * columns + column]; //~ REQUIRES cells != NULL
    }
    return total;
}
