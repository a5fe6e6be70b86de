// tine-test: fn=spin run-timeout=200ms verdict=bounded reason="time limit" exit=1
// A loop that does not end is an outcome like others.
volatile unsigned turns;

int spin(int x) {
    if (x == 321)                           //~ COVERED
        for (;;) turns++;                   //~ ERROR endless loop
    return 0;
}
