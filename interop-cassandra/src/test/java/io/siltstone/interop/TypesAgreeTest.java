package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.comparable.ComparableBytes;
import io.siltstone.type.comparable.ComparableType;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.apache.cassandra.cql3.FieldIdentifier;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.AsciiType;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.ByteBufferAccessor;
import org.apache.cassandra.db.marshal.ByteType;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.CompositeType;
import org.apache.cassandra.db.marshal.CounterColumnType;
import org.apache.cassandra.db.marshal.DecimalType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.DurationType;
import org.apache.cassandra.db.marshal.EmptyType;
import org.apache.cassandra.db.marshal.FloatType;
import org.apache.cassandra.db.marshal.InetAddressType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.IntegerType;
import org.apache.cassandra.db.marshal.LegacyTimeUUIDType;
import org.apache.cassandra.db.marshal.LexicalUUIDType;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.ReversedType;
import org.apache.cassandra.db.marshal.SetType;
import org.apache.cassandra.db.marshal.ShortType;
import org.apache.cassandra.db.marshal.SimpleDateType;
import org.apache.cassandra.db.marshal.TimeType;
import org.apache.cassandra.db.marshal.TimeUUIDType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.TupleType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.db.marshal.UserType;
import org.apache.cassandra.db.marshal.VectorType;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.bytecomparable.ByteComparable;
import org.apache.cassandra.utils.bytecomparable.ByteSource;
import org.apache.cassandra.utils.bytecomparable.ByteSourceInverse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** This engine's types treat random types, values and broken values like Cassandra's. */
class TypesAgreeTest {
  private static final int TYPES = 30 * (Scenario.isLarge() ? 2 : 1);
  private static final int VALUES = 12;
  private static final int MUTATIONS = 6;

  private static final List<AbstractType<?>> KEY_SCALARS =
      List.of(
          AsciiType.instance,
          BooleanType.instance,
          ByteType.instance,
          BytesType.instance,
          DecimalType.instance,
          DoubleType.instance,
          FloatType.instance,
          InetAddressType.instance,
          Int32Type.instance,
          IntegerType.instance,
          LongType.instance,
          ShortType.instance,
          SimpleDateType.instance,
          TimeType.instance,
          TimeUUIDType.instance,
          TimestampType.instance,
          UTF8Type.instance,
          UUIDType.instance);

  /** Only at the top level: since CQL, such values are not nested in others. */
  private static final List<AbstractType<?>> LEGACY_SCALARS =
      List.of(
          org.apache.cassandra.db.marshal.TypeParser.parse("DateType"),
          LexicalUUIDType.instance,
          EmptyType.instance,
          LegacyTimeUUIDType.instance);

  static LongStream seeds() {
    return RandomCases.seeds(8);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void sameNamesOrdersTextsAndRefusals(long seed) {
    Random random = new Random(seed);
    Generator generator = new Generator(random);
    for (int i = 0; i < TYPES; i++) {
      AbstractType<?> theirs = generator.type(0);
      String context = "seed " + seed + ", type " + i + ", " + theirs;
      CqlType ours = CqlTypes.parse(theirs.toString());
      checkNames(context, ours, theirs);
      List<ByteBuffer> values = new ArrayList<>();
      for (int k = 0; k < VALUES; k++) {
        ByteBuffer value = generator.value(theirs);
        values.add(value);
        checkValue(context, ours, theirs, value, false);
        for (int m = 0; m < MUTATIONS; m++) {
          checkValue(context, ours, theirs, generator.mutate(value), true);
        }
      }
      if (!(theirs instanceof CounterColumnType)) {
        checkOrder(context, ours, theirs, values);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void sameByteComparableForms(long seed) {
    Random random = new Random(seed);
    Generator generator = new Generator(random);
    for (int i = 0; i < TYPES; i++) {
      AbstractType<?> theirs = generator.type(0);
      String context = "seed " + seed + ", type " + i + ", " + theirs;
      CqlType ours = CqlTypes.parse(theirs.toString());
      if (theirs.unwrap() instanceof CounterColumnType) {
        assertThatThrownBy(() -> ComparableType.of(ours))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("counter");
        continue;
      }
      List<ByteBuffer> values = new ArrayList<>();
      values.add(ByteBufferUtil.EMPTY_BYTE_BUFFER);
      for (int k = 0; k < VALUES; k++) {
        ByteBuffer value = generator.value(theirs);
        values.add(value);
        checkForm(context, ours, theirs, generator.mutate(value), true);
      }
      values.forEach(value -> checkForm(context, ours, theirs, value, false));
      checkOrderOfForms(context, ours, theirs, values);
    }
  }

  /** Lengths and scales that random values hardly have. */
  @ParameterizedTest
  @MethodSource("seeds")
  void sameByteComparableFormsOfExtremeNumbers(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      byte[] number = new byte[1 + random.nextInt(random.nextBoolean() ? 10 : 300)];
      if (random.nextInt(3) == 0) {
        Arrays.fill(number, (byte) (random.nextBoolean() ? 0 : -1));
        number[random.nextInt(number.length)] = (byte) random.nextInt();
      } else {
        random.nextBytes(number);
      }
      checkForm(
          "seed " + seed, CqlTypes.VARINT, IntegerType.instance, ByteBuffer.wrap(number), false);
      int[] scales = {0, 1, -1, 1 << random.nextInt(31), -1 << random.nextInt(32)};
      int scale = random.nextInt(4) == 0 ? random.nextInt() : scales[random.nextInt(5)];
      BigInteger unscaled = new BigInteger(number);
      if (random.nextInt(3) == 0) {
        unscaled = unscaled.multiply(BigInteger.TEN.pow(random.nextInt(20)));
      }
      byte[] digits = unscaled.toByteArray();
      ByteBuffer decimal = ByteBuffer.allocate(4 + digits.length).putInt(scale).put(digits).flip();
      checkForm("seed " + seed, CqlTypes.DECIMAL, DecimalType.instance, decimal, false);
      ByteBuffer bigint = LongType.instance.decompose(random.nextLong() >> random.nextInt(64));
      checkForm("seed " + seed, CqlTypes.BIGINT, LongType.instance, bigint, false);
    }
  }

  private static void checkForm(
      String context, CqlType ours, AbstractType<?> theirs, ByteBuffer value, boolean mutated) {
    byte[] bytes = padded(value);
    ComparableBytes out = new ComparableBytes();
    out.append(7);
    ComparableType form = ComparableType.of(ours);
    Boolean has =
        orRefused(context + ": " + hex(value), () -> form.append(bytes, 3, bytes.length - 5, out));
    if (mutated && (has == null || !accepts(theirs, value))) {
      return; // a negative count makes a value of gigabytes of theirs
    }
    if (mayHoldUnusualNaN(theirs, value)) {
      return; // Cassandra's form keeps its sign and payload, which its own comparator ignores
    }
    String expected =
        orNull(
            () -> {
              ByteSource source = theirs.asComparableBytes(value, ByteComparable.Version.OSS50);
              return source == null
                  ? "none"
                  : hex(ByteBuffer.wrap(ByteSourceInverse.readBytes(source)));
            });
    if (expected == null) {
      return; // they cannot encode it
    }
    String found =
        has == null
            ? "refused"
            : has ? hex(ByteBuffer.wrap(out.bytes(), 1, out.length() - 1)) : "none";
    assertThat(found).as("%s: %s", context, hex(value)).isEqualTo(expected);
  }

  /** Returns whether bytes of the value, at any offset, read as a NaN that is not Java's own. */
  private static boolean mayHoldUnusualNaN(AbstractType<?> type, ByteBuffer value) {
    boolean floats = type.toString().contains("FloatType");
    boolean doubles = type.toString().contains("DoubleType");
    for (int at = value.position(); at <= value.limit() - Float.BYTES; at++) {
      if (floats && isUnusualNaN(value.getInt(at))
          || doubles && at <= value.limit() - Double.BYTES && isUnusualNaN(value.getLong(at))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isUnusualNaN(int bits) {
    float number = Float.intBitsToFloat(bits);
    return Float.isNaN(number) && Float.floatToIntBits(number) != bits;
  }

  private static boolean isUnusualNaN(long bits) {
    double number = Double.longBitsToDouble(bits);
    return Double.isNaN(number) && Double.doubleToLongBits(number) != bits;
  }

  private static void checkOrderOfForms(
      String context, CqlType ours, AbstractType<?> theirs, List<ByteBuffer> values) {
    for (ByteBuffer left : values) {
      for (ByteBuffer right : values) {
        Integer expected = orNull(() -> theirs.compare(left, right));
        if (expected != null) {
          ComparableBytes l = part(ours, left);
          ComparableBytes r = part(ours, right);
          assertThat(Integer.signum(ComparableBytes.compare(l, r)))
              .as("%s: %s, %s", context, hex(left), hex(right))
              .isEqualTo(Integer.signum(expected));
        }
      }
    }
  }

  private static ComparableBytes part(CqlType type, ByteBuffer value) {
    byte[] bytes = padded(value);
    ComparableBytes out = new ComparableBytes();
    int empty =
        type.isReversed() ? ComparableBytes.EMPTY_REVERSED_PART : ComparableBytes.EMPTY_PART;
    ComparableType.of(type).appendPart(bytes, 3, bytes.length - 5, out, empty);
    out.append(ComparableBytes.END);
    return out;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aDroppedColumnComesBackWithTheSameTypes(long seed) {
    Generator generator = new Generator(new Random(seed));
    for (int i = 0; i < 20 * TYPES; i++) {
      AbstractType<?> before = generator.type(1);
      AbstractType<?> after = generator.changed(before);
      CqlType ours = CqlTypes.parse(after.toString());
      assertThat(ours.canReadCellsOf(CqlTypes.parse(before.toString())))
          .as("seed %s, type %s, %s after %s", seed, i, after, before)
          .isEqualTo(after.isSerializationCompatibleWith(before));
    }
  }

  private static void checkNames(String context, CqlType ours, AbstractType<?> theirs) {
    assertThat(ours.className()).as(context).isEqualTo(theirs.toString());
    assertThat(ours.cqlName()).as(context).isEqualTo(theirs.asCQL3Type().toString());
    assertThat(ours.fixedLength()).as(context).isEqualTo(theirs.valueLengthIfFixed());
    assertThat(ours.isMultiCell()).as(context).isEqualTo(theirs.isMultiCell());
    assertThat(ours.isReversed()).as(context).isEqualTo(theirs.isReversed());
    assertThat(ours.isCounter()).as(context).isEqualTo(theirs.isCounter());
    assertThat(ours.frozen().className()).as(context).isEqualTo(theirs.freeze().toString());
  }

  private static void checkOrder(
      String context, CqlType ours, AbstractType<?> theirs, List<ByteBuffer> values) {
    for (ByteBuffer left : values) {
      for (ByteBuffer right : values) {
        Integer expected = orNull(() -> theirs.compare(left, right));
        if (expected != null) {
          byte[] l = padded(left);
          byte[] r = padded(right);
          assertThat(Integer.signum(ours.compare(l, 3, l.length - 5, r, 3, r.length - 5)))
              .as("%s: %s, %s", context, hex(left), hex(right))
              .isEqualTo(Integer.signum(expected));
        }
      }
    }
  }

  private static void checkValue(
      String context, CqlType ours, AbstractType<?> theirs, ByteBuffer value, boolean mutated) {
    String where = context + ": " + hex(value);
    byte[] bytes = padded(value);
    int length = bytes.length - 5;
    boolean theyAccept = accepts(theirs, value);
    boolean weAccept =
        orRefused(
                where,
                () -> {
                  ours.validate(bytes, 3, length);
                  return true;
                })
            != null;
    if (theirs.unwrap() instanceof CounterColumnType && mutated && !weAccept) {
      return; // a header longer than the value is none of theirs either, but they do not look
    }
    assertThat(weAccept).as("accepted, %s", where).isEqualTo(theyAccept);

    String text = orRefused(where, () -> ours.format(bytes, 3, length));
    String theirText = theyAccept ? orNull(() -> theirs.getString(value)) : null;
    checkText(where, theirs, mutated, text, theirText);
    String json = orRefused(where, () -> ours.toJson(bytes, 3, length));
    String theirJson =
        theyAccept ? orNull(() -> theirs.toJSONString(value, ProtocolVersion.CURRENT)) : null;
    checkText(where, theirs, mutated, json, theirJson);
    String literal = orRefused(where, () -> ours.toCqlLiteral(bytes, 3, length));
    String theirLiteral = theyAccept ? orNull(() -> theirs.toCQLString(value)) : null;
    if (!mutated && !(theirs instanceof CounterColumnType)) { // theirs prints shards as a number
      checkText(where, theirs, mutated, literal, theirLiteral);
    }
    orRefused(where, () -> ours.decode(bytes, 3, length));

    if (text != null && theirText != null) {
      ByteBuffer parsed = orNull(() -> theirs.fromString(text));
      byte[] ourParsed = orRefused(where, () -> ours.parse(text));
      if (parsed != null) {
        assertThat(ourParsed).as("parsed '%s', %s", text, where).isNotNull();
        assertThat(hex(ByteBuffer.wrap(ourParsed))).as(where).isEqualTo(hex(parsed));
      }
    }
  }

  /**
   * Compares texts: what Cassandra can print, this engine prints in the same way, except times
   * beyond a day.
   */
  private static void checkText(
      String where,
      AbstractType<?> type,
      boolean mutated,
      @Nullable String ours,
      @Nullable String theirs) {
    if (theirs == null || (ours == null && mutated && type.toString().contains("TimeType"))) {
      return;
    }
    assertThat(ours).as(where).isEqualTo(theirs);
  }

  private static boolean accepts(AbstractType<?> type, ByteBuffer value) {
    Supplier<Boolean> whole =
        () -> {
          type.validate(value);
          return true;
        };
    Supplier<Boolean> cell =
        () -> {
          type.validateCellValue(value, ByteBufferAccessor.instance);
          return true;
        };
    boolean counter = type.unwrap() instanceof CounterColumnType;
    return orNull(whole) != null || (counter && orNull(cell) != null);
  }

  /** Returns null if Cassandra fails, which it does with many exceptions. */
  @SuppressWarnings("CatchAndPrintStackTrace")
  private static <T> @Nullable T orNull(Supplier<T> call) {
    try {
      return call.get();
    } catch (RuntimeException | AssertionError e) {
      return null;
    }
  }

  /** Returns null if this engine rejects the value, for which it has one exception. */
  private static <T> @Nullable T orRefused(String where, Supplier<? extends @Nullable T> call) {
    try {
      return call.get();
    } catch (IllegalArgumentException e) {
      return null;
    } catch (RuntimeException | AssertionError e) {
      return fail(where, e);
    }
  }

  private static byte[] padded(ByteBuffer value) {
    byte[] bytes = new byte[value.remaining() + 5];
    Arrays.fill(bytes, (byte) 0x55);
    value.duplicate().get(bytes, 3, value.remaining());
    return bytes;
  }

  private static String hex(ByteBuffer value) {
    return ByteBufferUtil.bytesToHex(value);
  }

  private static final class Generator {
    private final Random random;
    private final RandomValues values;

    Generator(Random random) {
      this.random = random;
      this.values = new RandomValues(random);
    }

    private AbstractType<?> scalar() {
      return KEY_SCALARS.get(random.nextInt(KEY_SCALARS.size()));
    }

    private AbstractType<?> legacyScalar() {
      return LEGACY_SCALARS.get(random.nextInt(LEGACY_SCALARS.size()));
    }

    AbstractType<?> type(int depth) {
      int draw = random.nextInt(depth == 0 ? 14 : depth > 3 ? 4 : 11);
      return switch (draw) {
        case 0, 1, 2 -> scalar();
        case 3 -> depth == 0 ? topScalar() : DurationType.instance;
        case 4 -> ListType.getInstance(type(depth + 1).freeze(), random.nextBoolean());
        case 5 -> SetType.getInstance(type(depth + 1).freeze(), random.nextBoolean());
        case 6 -> MapType.getInstance(scalar(), type(depth + 1).freeze(), random.nextBoolean());
        case 7, 8 -> new TupleType(types(depth));
        case 9 -> userType(depth);
        case 10 -> VectorType.getInstance(type(depth + 1).freeze(), 1 + random.nextInt(4));
        case 11 -> reversed();
        default -> CompositeType.getInstance(List.copyOf(keyTypes()));
      };
    }

    private AbstractType<?> topScalar() {
      return random.nextInt(3) == 0 ? CounterColumnType.instance : legacyScalar();
    }

    private AbstractType<?> reversed() {
      AbstractType<?> base = random.nextInt(4) == 0 ? legacyScalar() : type(1).freeze();
      return ReversedType.getInstance(base);
    }

    /** Returns the same type, or one that differs in a few places. */
    AbstractType<?> changed(AbstractType<?> type) {
      boolean multiCell = type.isMultiCell() ^ random.nextInt(8) == 0;
      if (type instanceof ListType<?> list) {
        return ListType.getInstance(changed(list.getElementsType()).freeze(), multiCell);
      } else if (type instanceof SetType<?> set) {
        return SetType.getInstance(changed(set.getElementsType()).freeze(), multiCell);
      } else if (type instanceof MapType<?, ?> map) {
        return MapType.getInstance(
            changed(map.getKeysType()).freeze(), changed(map.getValuesType()).freeze(), multiCell);
      } else if (type instanceof TupleType tuple && random.nextInt(4) != 0) {
        List<AbstractType<?>> fields = new ArrayList<>();
        tuple.allTypes().forEach(field -> fields.add(changed(field).freeze()));
        if (random.nextInt(4) == 0) {
          fields.add(scalar());
        }
        return new TupleType(fields);
      } else if (KEY_SCALARS.contains(type) && random.nextBoolean()) {
        return random.nextInt(3) == 0 ? BytesType.instance : scalar();
      }
      return type;
    }

    private List<AbstractType<?>> types(int depth) {
      List<AbstractType<?>> types = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        types.add(type(depth + 1).freeze());
      }
      return types;
    }

    private List<AbstractType<?>> keyTypes() {
      List<AbstractType<?>> types = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        types.add(random.nextInt(6) == 0 ? legacyScalar() : scalar());
      }
      return types;
    }

    private UserType userType(int depth) {
      List<AbstractType<?>> types = types(depth);
      List<FieldIdentifier> names = new ArrayList<>();
      for (int i = 0; i < types.size(); i++) {
        names.add(FieldIdentifier.forInternalString((random.nextBoolean() ? "f" : "F\"é ") + i));
      }
      String name = random.nextBoolean() ? "plain" : "Qu\"oted";
      return new UserType("ks", ByteBufferUtil.bytes(name), names, types, random.nextBoolean());
    }

    ByteBuffer value(AbstractType<?> type) {
      AbstractType<?> unwrapped = type.unwrap();
      if (unwrapped instanceof CompositeType composite) {
        ByteBuffer[] parts = new ByteBuffer[random.nextInt(composite.types.size() + 1)];
        for (int i = 0; i < parts.length; i++) {
          parts[i] = value(composite.types.get(i));
        }
        return CompositeType.build(ByteBufferAccessor.instance, parts);
      }
      if (unwrapped instanceof CounterColumnType && random.nextBoolean()) {
        byte[] shards = new byte[4 + 32 * random.nextInt(3)];
        random.nextBytes(shards);
        shards[0] = 0;
        shards[1] = 1;
        return ByteBuffer.wrap(shards);
      }
      if (LEGACY_SCALARS.contains(unwrapped)) {
        return legacyValue(unwrapped.valueLengthIfFixed());
      }
      return values.value(type);
    }

    /** UUIDs of version 1 are valid for both types. */
    private ByteBuffer legacyValue(int length) {
      if (length == Long.BYTES) {
        return values.value(TimestampType.instance);
      }
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      if (length == 16) {
        bytes[6] = (byte) ((bytes[6] & 0x0f) | 0x10);
      }
      return ByteBuffer.wrap(bytes);
    }

    ByteBuffer mutate(ByteBuffer value) {
      byte[] bytes = ByteBufferUtil.getArray(value);
      int at = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
      switch (random.nextInt(6)) {
        case 0 -> bytes = Arrays.copyOf(bytes, at);
        case 1 -> bytes = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(9));
        case 2 -> {
          if (bytes.length > 0) {
            bytes[at] = (byte) random.nextInt();
          }
        }
        case 3 -> {
          if (bytes.length >= 4) {
            int start = Math.min(at & ~3, bytes.length - 4);
            int[] wrong = {-1, Integer.MAX_VALUE, Integer.MIN_VALUE, 0, 1, 100};
            ByteBuffer.wrap(bytes).putInt(start, wrong[random.nextInt(wrong.length)]);
          }
        }
        case 4 -> {
          for (int i = at; i < Math.min(bytes.length, at + 3); i++) {
            int[] special = {0xc0, 0x80, 0xe0, 0x9f, 0xf0, 0x8f, 0xed, 0xa0, 0xf7, 0xff, 0x41};
            bytes[i] = (byte) special[random.nextInt(special.length)];
          }
        }
        default -> {
          if (bytes.length > 0) {
            bytes[at] ^= (byte) (1 << random.nextInt(8));
          }
        }
      }
      return ByteBuffer.wrap(bytes);
    }
  }
}
