// tine-test: fn=winner
// Three in a row on a board of two players.
static int line(const char *board, int a, int b, int c) {
    return board[a] && board[a] == board[b] && board[b] == board[c];
}

int winner(char a, char b, char c, char d) {
    char board[9] = {a, b, c, 'x', d, 'x', 'o', 'o', 'o' == a ? 'o' : 0};   //~ GCOV choice
    for (int i = 0; i < 3; i++) {
        if (line(board, 3 * i, 3 * i + 1, 3 * i + 2))
            return board[3 * i];
        if (line(board, i, i + 3, i + 6))
            return board[i];
    }
    if (line(board, 0, 4, 8) || line(board, 2, 4, 6))
        return board[4];
    return 0;
}
