package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes random types, and Java objects that are values of a type. */
public class RandomTypes {
  private static final List<CqlType> SCALARS =
      List.of(
          CqlTypes.BOOLEAN,
          CqlTypes.TINYINT,
          CqlTypes.SMALLINT,
          CqlTypes.INT,
          CqlTypes.BIGINT,
          CqlTypes.VARINT,
          CqlTypes.FLOAT,
          CqlTypes.DOUBLE,
          CqlTypes.DECIMAL,
          CqlTypes.TEXT,
          CqlTypes.ASCII,
          CqlTypes.UUID,
          CqlTypes.TIMEUUID,
          CqlTypes.TIMESTAMP,
          CqlTypes.DATE,
          CqlTypes.TIME,
          CqlTypes.DURATION,
          CqlTypes.INET);

  private final Random random;

  /** Draws from the given source. */
  public RandomTypes(Random random) {
    this.random = random;
  }

  CqlType type(int depth) {
    return switch (random.nextInt(depth > 2 ? 4 : 10)) {
      case 4 -> CqlTypes.list(type(depth + 1));
      case 5 -> CqlTypes.set(type(depth + 1)).frozen();
      case 6 -> CqlTypes.map(scalar(), type(depth + 1));
      case 7 -> CqlTypes.tuple(List.of(type(depth + 1), scalar(), type(depth + 1)));
      case 8 ->
          CqlTypes.userType(
              "ks",
              "Type",
              List.of(
                  new UserType.Field("plain", type(depth + 1)),
                  new UserType.Field("Quo\"ted", type(depth + 1))));
      case 9 -> CqlTypes.vector(type(depth + 1), 1 + random.nextInt(3));
      default -> scalar();
    };
  }

  private CqlType scalar() {
    return SCALARS.get(random.nextInt(SCALARS.size()));
  }

  /** Returns a value of the class that {@link CqlType#decode} returns. */
  public Object value(CqlType type) {
    List<CqlType> parts = type.elementTypes();
    return switch (type.kind()) {
      case SCALAR -> scalarValue(type);
      case LIST -> values(parts.get(0), random.nextInt(4));
      case VECTOR -> values(parts.get(0), dimension(type));
      case SET -> set(type);
      case MAP -> map(type);
      case TUPLE -> parts.stream().map(this::valueOrNull).toList();
      case USER -> userValue((UserType) type);
      case COMPOSITE -> parts.stream().map(this::value).toList();
      case REVERSED -> value(type.unreversed());
    };
  }

  /** Returns a value of a user-defined type, which has all fields. */
  protected Map<String, @Nullable Object> userValue(UserType type) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    for (UserType.Field field : type.fields()) {
      fields.put(field.name(), valueOrNull(field.type()));
    }
    return fields;
  }

  private static int dimension(CqlType vector) {
    String name = vector.cqlName();
    return Integer.parseInt(name.substring(name.lastIndexOf(' ') + 1, name.length() - 1));
  }

  private @Nullable Object valueOrNull(CqlType type) {
    return random.nextInt(4) == 0 ? null : value(type);
  }

  private List<Object> values(CqlType type, int count) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(value(type));
    }
    return values;
  }

  /** Returns a set without values that differ in Java and are equal in CQL. */
  private Set<Object> set(CqlType type) {
    Set<Object> values = new LinkedHashSet<>();
    for (Object value : values(type.elementTypes().get(0), random.nextInt(4))) {
      values.add(value);
      int count = BigEndian.getInt(type.encode(values), 0);
      if (count < values.size()) {
        values.remove(value);
      }
    }
    return values;
  }

  private Map<Object, Object> map(CqlType type) {
    Map<Object, Object> entries = new LinkedHashMap<>();
    Set<Object> keys = set(CqlTypes.set(type.elementTypes().get(0)));
    keys.forEach(key -> entries.put(key, value(type.elementTypes().get(1))));
    return entries;
  }

  /** Returns a value of a scalar type. */
  protected Object scalarValue(CqlType type) {
    return switch (type.cqlName()) {
      case "boolean" -> random.nextBoolean();
      case "tinyint" -> (byte) random.nextInt();
      case "smallint" -> (short) random.nextInt();
      case "int" -> random.nextInt() >> random.nextInt(32);
      case "bigint" -> random.nextLong() >> random.nextInt(64);
      case "varint" -> new BigInteger(random.nextInt(200), random).subtract(BigInteger.TEN);
      case "float" -> Float.intBitsToFloat(random.nextInt());
      case "double" -> Double.longBitsToDouble(random.nextLong());
      case "decimal" ->
          new BigDecimal(new BigInteger(90, random).negate(), random.nextInt(60) - 30);
      case "text" -> text("aZ'\"\\:@!{}é世\ud83d\ude00 \n");
      case "ascii" -> text("aZ'\"\\:@!{} \n");
      case "blob" -> {
        byte[] bytes = new byte[4 + random.nextInt(12)];
        random.nextBytes(bytes);
        yield bytes;
      }
      case "uuid" -> new UUID(random.nextLong(), random.nextLong());
      case "timeuuid" -> new UUID((random.nextLong() & ~0xF000L) | 0x1000L, random.nextLong());
      case "timestamp" -> Instant.ofEpochMilli(random.nextLong() >> random.nextInt(64));
      case "date" -> LocalDate.ofEpochDay(random.nextInt());
      case "time" -> LocalTime.ofNanoOfDay(random.nextLong(86_400_000_000_000L));
      case "duration" -> {
        int sign = random.nextBoolean() ? 1 : -1;
        yield new CqlDuration(
            sign * random.nextInt(Integer.MAX_VALUE),
            sign * random.nextInt(100),
            sign * (random.nextLong() >>> (1 + random.nextInt(63))));
      }
      case "inet" -> {
        byte[] address = new byte[random.nextBoolean() ? 4 : 16];
        random.nextBytes(address);
        try {
          yield InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
          throw new IllegalStateException(e);
        }
      }
      default -> throw new IllegalArgumentException("no random values of " + type);
    };
  }

  /** Returns a text of up to seven of the given letters. */
  protected final String text(String letters) {
    int[] points = letters.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      text.appendCodePoint(points[random.nextInt(points.length)]);
    }
    return text.toString();
  }
}
