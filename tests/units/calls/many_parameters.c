// tine-test: fn=many_parameters verdict=incomplete reason="beyond those that are followed"
// Shadows of 64 arguments travel with a call; what is beyond them is concrete, and said to be.
int many_parameters(int p0, int p1, int p2, int p3, int p4, int p5, int p6, int p7, int p8, int p9,
                    int p10, int p11, int p12, int p13, int p14, int p15, int p16, int p17,
                    int p18, int p19, int p20, int p21, int p22, int p23, int p24, int p25,
                    int p26, int p27, int p28, int p29, int p30, int p31, int p32, int p33,
                    int p34, int p35, int p36, int p37, int p38, int p39, int p40, int p41,
                    int p42, int p43, int p44, int p45, int p46, int p47, int p48, int p49,
                    int p50, int p51, int p52, int p53, int p54, int p55, int p56, int p57,
                    int p58, int p59, int p60, int p61, int p62, int p63, int p64, int p65) {
    (void)p1;
    return p65 == 5 && p0 == 3 ? 1 : 0;
}
