"""The data files of the golden runs, written to the letter by integers alone.

No floating-point number is computed or printed here, so that the files are the same on every machine
and with every version of Python.
"""

MODULUS = 2**31 - 1


class Numbers:
    """Park and Miller's generator: x <- 16807 x mod (2^31 - 1)."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = self.state * 16807 % MODULUS
        return self.state * bound // MODULUS

    def between(self, low, high):
        return low + self.below(high - low + 1)


def thousandths(number):
    """1234 as the text 1.234."""
    return "{}{}.{:03d}".format("-" if number < 0 else "", *divmod(abs(number), 1000))


def lines(rows):
    return "".join(row + "\n" for row in rows)


def libsvm(rows, first_column=1):
    """`rows` has labels and dictionaries of column, from 0, and the text of its value."""
    return lines(" ".join([str(label)] + ["{}:{}".format(column + first_column, row[column])
                                          for column in sorted(row)])
                 for label, row in rows)


def table():
    """Numbers in units of their own, far from zero, with names."""
    random, rows = Numbers(1), ["age,rooms,distance,income,coast,price"]
    for _ in range(150):
        age, rooms = random.between(20, 80), random.between(1, 9)
        distance, income = random.between(-3000, 3000), random.between(20_000_000, 90_000_000)
        coast = random.below(2)
        price = 50 * age + 3000 * rooms - 2 * distance + income // 10_000 + 4000 * coast
        rows.append(",".join([str(age), str(rooms), thousandths(distance), thousandths(income),
                              str(coast), thousandths(price + random.between(-500, 500))]))
    return lines(rows)


def badly_conditioned():
    """Columns that nearly repeat each other, on which stochastic steps get nowhere."""
    random, rows = Numbers(2), ["a,b,c,d,y"]
    for _ in range(120):
        a, c = random.between(1000, 9000), random.between(-500, 500)
        b, d = a + random.between(-2, 2), 1000 * c + random.between(-9, 9)
        y = 3 * a - 2 * b + c + random.between(-100, 100)
        rows.append(",".join(thousandths(value) for value in (a, b, c, d, y)))
    return lines(rows)


def flowers():
    """Three classes that are words."""
    random, rows = Numbers(3), ["length,width,height,kind"]
    for i in range(120):
        kind = i % 3
        cells = [random.between(0, 3000) + centre * 1000
                 for centre in (kind, 2 - kind, 3 * (kind == 1))]
        rows.append(",".join([thousandths(cell) for cell in cells] + [("lily", "iris", "rose")[kind]]))
    return lines(rows)


def visits():
    """Counts, the most of them small."""
    random, rows = Numbers(4), ["hour,rain,visits"]
    for _ in range(150):
        hour, rain = random.between(-1000, 1000), random.between(0, 1000)
        mean = 2000 + hour - rain
        rows.append(",".join([thousandths(hour), thousandths(rain),
                              str(sum(random.below(4000) < mean // 2 for _ in range(4)))]))
    return lines(rows)


def pixels():
    """Four classes, of bytes."""
    random, rows = Numbers(5), []
    for i in range(200):
        kind = i % 4
        row = {8 * kind + random.below(8): random.between(100, 255) for _ in range(4)}
        row.update({random.below(32): random.between(1, 255) for _ in range(3)})
        rows.append((kind, row))
    return libsvm(rows)


def categories():
    """Two classes; every value is 1."""
    random, rows = Numbers(6), []
    for _ in range(300):
        row = {10 * field + random.below(10): 1 for field in range(6)}
        score = sum(column % 7 - 3 for column in row)
        rows.append((1 if score + random.between(-3, 3) > 0 else 0, row))
    return libsvm(rows)


def words():
    """Many more features than samples, the most of them rare, counted from 0."""
    random, rows = Numbers(7), []
    for _ in range(200):
        row = {}
        for _ in range(8):
            common = random.below(50)
            column = common if random.below(2) else 50 + random.below(69_950)
            row[column] = thousandths(random.between(1, 2000))
        score = sum(1 if column % 2 else -1 for column in row if column < 50)
        rows.append((1 if score + random.between(-1, 1) > 0 else -1, row))
    return libsvm(rows, first_column=0)


def seldom():
    """One sample in ten is positive."""
    random, rows = Numbers(8), []
    for i in range(250):
        positive = i % 10 == 0
        row = {column: thousandths(random.between(-1000, 1000) + 600 * positive)
               for column in range(12) if random.below(3)}
        rows.append((1 if positive else -1, row))
    return libsvm(rows)


def opinions():
    """Ratings of users and items that have names."""
    random, rows = Numbers(9), ["user\titem\trating"]
    for i in range(300):
        user, item = i % 20, random.below(12)
        rating = 3000 + 400 * (user % 3 - 1) * (item % 4 - 1) + random.between(-200, 200)
        rows.append("u{}\titem {}\t{}".format(user, item, thousandths(rating)))
    return lines(rows)


def column(numbers):
    return lines(thousandths(number) for number in numbers)


def write_all(folder):
    random = Numbers(10)
    texts = {
        "table.csv": table(), "badly.csv": badly_conditioned(), "flowers.csv": flowers(),
        "visits.csv": visits(), "pixels.svm": pixels(), "categories.svm": categories(),
        "words.svm": words(), "seldom.svm": seldom(), "opinions.tsv": opinions(),
        "weights150.txt": column(random.between(1, 3000) for _ in range(150)),
        "weights300.txt": column(random.between(0, 2000) for _ in range(300)),
        "penalties40.txt": column(random.between(0, 3000) for _ in range(40)),
        "falling40.txt": column(3000 - 50 * j for j in range(40)),
        "groups40.txt": lines(str(j * j % 7) for j in range(40)),
        "start40.txt": column(random.between(-500, 500) for _ in range(40)),
        "ages.txt": lines(str(random.below(7)) for _ in range(50)),
        "run.toml": 'regularizer = "l1:2e-3"\nmethod = "asyn-prox-sgd"\nbatch-size = 12\n',
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
