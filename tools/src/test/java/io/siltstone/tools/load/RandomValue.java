package io.siltstone.tools.load;

import io.siltstone.type.CqlDuration;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.UserType;
import io.siltstone.type.UserTypeField;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Random values, encoded by the types themselves: what the codecs of load are held against. */
final class RandomValue {
  private final Random random;

  RandomValue(Random random) {
    this.random = random;
  }

  /** The bytes of a value, of which a key may be made. */
  byte[] bytes(CqlType type) {
    CqlType frozen = type.unreversed().frozen();
    if (frozen.equals(CqlTypes.EMPTY)) {
      return new byte[0];
    }
    for (int attempt = 0; ; attempt++) {
      try {
        return frozen.encode(object(frozen));
      } catch (IllegalArgumentException e) {
        // Two keys of a map were one: rare, but for types of few values.
        if (attempt == 1000) {
          throw e;
        }
      }
    }
  }

  /** JSON knows one NaN. */
  private static float canonical(float number) {
    return Float.isNaN(number) ? Float.NaN : number;
  }

  private static double canonical(double number) {
    return Double.isNaN(number) ? Double.NaN : number;
  }

  private Object object(CqlType type) {
    List<CqlType> parts = type.elementTypes();
    return switch (type.kind()) {
      case LIST, SET -> objects(parts.get(0), random.nextInt(4));
      case VECTOR -> objects(parts.get(0), dimension(type));
      case MAP -> {
        Map<Object, Object> entries = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          entries.put(object(parts.get(0)), object(parts.get(1)));
        }
        yield entries;
      }
      case TUPLE -> {
        List<@Nullable Object> fields = new ArrayList<>();
        int count = 1 + random.nextInt(parts.size());
        for (int i = 0; i < count; i++) {
          fields.add(random.nextInt(4) == 0 ? null : object(parts.get(i)));
        }
        yield fields;
      }
      case USER -> {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        List<UserTypeField> definition = ((UserType) type).fields();
        for (int i = 0; i < definition.size(); i++) {
          // The last is there: nulls at the end are the same as none.
          boolean there = i == definition.size() - 1 || random.nextInt(4) > 0;
          UserTypeField field = definition.get(i);
          fields.put(field.name(), there ? object(field.type().frozen()) : null);
        }
        yield fields;
      }
      case REVERSED -> object(type.unreversed());
      case COMPOSITE -> throw new IllegalArgumentException("no column is a composite");
      case SCALAR -> scalar(type);
    };
  }

  private static int dimension(CqlType vector) {
    String name = vector.cqlName();
    return Integer.parseInt(name.substring(name.lastIndexOf(' ') + 1, name.length() - 1));
  }

  private List<Object> objects(CqlType type, int count) {
    List<Object> objects = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      objects.add(object(type));
    }
    return objects;
  }

  private Object scalar(CqlType type) {
    return switch (type.cqlName()) {
      case "boolean" -> random.nextBoolean();
      case "tinyint" -> (byte) random.nextInt();
      case "smallint" -> (short) random.nextInt();
      case "int" -> random.nextInt() >> random.nextInt(32);
      case "bigint" -> random.nextLong() >> random.nextInt(64);
      case "varint" -> new BigInteger(random.nextInt(200), random).subtract(BigInteger.TEN);
      case "float" -> {
        float number = canonical(Float.intBitsToFloat(random.nextInt()));
        yield random.nextBoolean() ? random.nextInt(100_000) / 100f : number;
      }
      case "double" -> {
        double number = canonical(Double.longBitsToDouble(random.nextLong()));
        yield random.nextInt(8) == 0
            ? Double.NEGATIVE_INFINITY
            : random.nextBoolean() ? random.nextInt() / 1000.0 : number;
      }
      case "decimal" ->
          new BigDecimal(new BigInteger(90, random).negate(), random.nextInt(60) - 30);
      case "empty" -> "";
      case "text" -> text("aZ'\"\\:@!{},é世\ud83d\ude00 \n\r\t\u0001");
      case "ascii" -> text("aZ'\"\\:@!{}, \n");
      case "blob" -> {
        byte[] bytes = new byte[random.nextInt(9)];
        random.nextBytes(bytes);
        yield bytes;
      }
      case "uuid" -> new UUID(random.nextLong(), random.nextLong());
      case "timeuuid" -> new UUID((random.nextLong() & ~0xF000L) | 0x1000L, random.nextLong());
      case "timestamp" -> Instant.ofEpochMilli(random.nextLong() >> random.nextInt(64));
      case "date" -> LocalDate.ofEpochDay(random.nextInt() >> random.nextInt(32));
      case "time" -> LocalTime.ofNanoOfDay(random.nextLong(86_400_000_000_000L));
      case "duration" ->
          random.nextInt(8) == 0
              ? CqlDuration.ZERO
              : new CqlDuration(random.nextInt(99), random.nextInt(100), random.nextInt() >>> 1);
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

  private String text(String letters) {
    int[] points = letters.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      text.appendCodePoint(points[random.nextInt(points.length)]);
    }
    return text.toString();
  }
}
