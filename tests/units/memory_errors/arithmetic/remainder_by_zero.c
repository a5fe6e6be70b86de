// tine-test: fn=pair
// CWE-369: a hash table without buckets. Division of floating-point numbers by zero is defined.
int bad(unsigned hash, unsigned buckets) { return (int)(hash % (buckets - 4)); } //~ ERROR division by zero

int good(unsigned hash, unsigned buckets) {
    double ratio = hash / (double)(buckets - 4); /* perhaps infinite */
    return buckets == 4 ? ratio > 1 : (int)(hash % (buckets - 4));
}

int pair(int faulty, unsigned hash, unsigned buckets) { return faulty ? bad(hash, buckets) : good(hash, buckets); }
