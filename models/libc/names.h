/* Names of days and months in the C locale. */
static const char *const DAYS[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const MONTHS[] = {"January", "February", "March",     "April",   "May",      "June",
                                     "July",    "August",   "September", "October", "November", "December"};

/* A decision for each name, so that the result is a concrete string. */
static inline const char *name_of(const char *const *names, int n, int number, const char *otherwise) {
    for (int k = 0; k < n; k++)
        if (number == k)
            return names[k];
    return otherwise;
}

#define DAY_NAME(time, otherwise) name_of(DAYS, 7, (time)->tm_wday, otherwise)
#define MONTH_NAME(time, otherwise) name_of(MONTHS, 12, (time)->tm_mon, otherwise)
