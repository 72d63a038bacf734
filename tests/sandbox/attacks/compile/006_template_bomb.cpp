// Row 6: two instantiations a level, 2^60 in all, never deeper than the compiler's own limit.
template <int Depth, unsigned long Path> struct Bomb {
    static const long value = Bomb<Depth - 1, Path * 2>::value + Bomb<Depth - 1, Path * 2 + 1>::value;
};
template <unsigned long Path> struct Bomb<0, Path> {
    static const long value = 1;
};
int main()
{
    return Bomb<60, 0>::value != 0;
}
