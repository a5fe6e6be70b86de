// tine-test: fn=switch_enum verdict=bounded reason=--any-enum
// On an enumeration with gaps and a negative member.
enum colour { RED = 1, GREEN = 50, BLUE = -3 };

int switch_enum(enum colour c) {
    int result = 0;
    switch (c) {
    case RED:
        result = 1;
        break;
    case GREEN:
        result = 2;
        break;
    case BLUE:
        result = 3;
        break;
    }
    if (result == 1)            //~ COVERED
        return 10;
    if (result == 2)            //~ COVERED
        return 20;
    if (result == 3)            //~ COVERED but 1: there is not another colour
        return 30;
    return 0;
}
