// tine-test: fn=valid
// Dates of the calendar.
static int leap(int year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days(int month, int year) {
    switch (month) {
    case 2:
        return leap(year) ? 29 : 28;   //~ GCOV choice
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    default:
        return 31;
    }
}

int valid(unsigned char day, unsigned char month, unsigned short year) {
    if (month < 1 || month > 12)
        return 0;
    int ok = day >= 1 && day <= days(month, year);
    return ok && (year > 1582
                  || (year == 1582
                      && month > 10));
}
