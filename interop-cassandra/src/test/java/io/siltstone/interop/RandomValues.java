package io.siltstone.interop;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.cassandra.cql3.Duration;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.AsciiType;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.ByteType;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.CounterColumnType;
import org.apache.cassandra.db.marshal.DecimalType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.DurationType;
import org.apache.cassandra.db.marshal.FloatType;
import org.apache.cassandra.db.marshal.InetAddressType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.IntegerType;
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
import org.apache.cassandra.db.marshal.VectorType;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.utils.ByteBufferUtil;

/** Makes random serialized values of any CQL type, extreme and ordinary ones. Not thread-safe. */
final class RandomValues {

  private static final String[] LETTERS = {
    "a",
    "b",
    "Z",
    "0",
    " ",
    "\"",
    "\\",
    "'",
    "\n",
    "\t",
    "\u0001",
    "/",
    "é",
    "ß",
    "世",
    "界",
    "\u2028",
    "\ud83d\ude00",
    "<",
    "&",
    "\u007f",
    "{",
    "]"
  };

  private final Random random;
  private final int poolSize;
  private final Map<AbstractType<?>, List<ByteBuffer>> pools = new HashMap<>();

  RandomValues(Random random) {
    this(random, Integer.MAX_VALUE);
  }

  private RandomValues(Random random, int poolSize) {
    this.random = random;
    this.poolSize = poolSize;
  }

  /**
   * Returns a source that has few values of each type, alone and as elements of others, so that
   * equal ones occur.
   */
  static RandomValues pooled(Random random, int poolSize) {
    return new RandomValues(random, poolSize);
  }

  /** Returns a value that is not null; sometimes an empty one where the type knows it. */
  ByteBuffer value(AbstractType<?> type) {
    AbstractType<?> unwrapped = type.unwrap();
    if (random.nextInt(40) == 0 && unwrapped.allowsEmpty() && canBeDumpedEmpty(unwrapped)) {
      return ByteBufferUtil.EMPTY_BYTE_BUFFER;
    }
    return nested(unwrapped, 0);
  }

  /**
   * Returns whether an empty value can be dumped: sstabledump of Cassandra 5.0 fails on an empty
   * boolean or tuple, which a table may have.
   */
  private static boolean canBeDumpedEmpty(AbstractType<?> type) {
    try {
      type.toJSONString(ByteBufferUtil.EMPTY_BYTE_BUFFER, ProtocolVersion.CURRENT);
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  private ByteBuffer nested(AbstractType<?> declared, int depth) {
    AbstractType<?> type = declared instanceof ReversedType<?> ? declared.unwrap() : declared;
    if (poolSize == Integer.MAX_VALUE || (depth == 0 && type.isMultiCell())) {
      return fresh(type, depth);
    }
    List<ByteBuffer> pool = pools.computeIfAbsent(type, any -> new ArrayList<>());
    if (pool.size() < poolSize) {
      // Its parts come from pools, too.
      ByteBuffer value;
      do {
        value = fresh(type, depth);
      } while (pool.isEmpty() && !isShort(value));
      pool.add(value);
    }
    return pool.get(random.nextInt(pool.size())).duplicate();
  }

  /** Returns whether a value is short enough for a key; each pool has such a value. */
  private static boolean isShort(ByteBuffer value) {
    return value.hasRemaining() && value.remaining() <= 10_000;
  }

  private ByteBuffer fresh(AbstractType<?> type, int depth) {
    if (type instanceof ListType<?> list) {
      List<ByteBuffer> elements = elements(list.getElementsType(), depth);
      return CassandraCalls.collection(elements, elements.size());
    }
    if (type instanceof SetType<?> set) {
      TreeSet<ByteBuffer> elements = new TreeSet<>(set.getElementsType());
      elements.addAll(elements(set.getElementsType(), depth));
      return CassandraCalls.collection(elements, elements.size());
    }
    if (type instanceof MapType<?, ?> map) {
      TreeMap<ByteBuffer, ByteBuffer> entries = new TreeMap<>(map.getKeysType());
      for (ByteBuffer key : elements(map.getKeysType(), depth)) {
        entries.put(key, nested(map.getValuesType(), depth + 1));
      }
      List<ByteBuffer> packed = new ArrayList<>();
      entries.forEach(
          (key, value) -> {
            packed.add(key);
            packed.add(value);
          });
      return CassandraCalls.collection(packed, entries.size());
    }
    if (type instanceof TupleType tuple) { // user types too
      ByteBuffer[] fields = new ByteBuffer[tuple.size()];
      for (int i = 0; i < fields.length; i++) {
        fields[i] = random.nextInt(5) == 0 ? null : nested(tuple.type(i), depth + 1);
      }
      return CassandraCalls.tuple(fields);
    }
    if (type instanceof VectorType<?> vector) {
      List<ByteBuffer> elements = new ArrayList<>();
      for (int i = 0; i < vector.dimension; i++) {
        elements.add(nested(vector.elementType, depth + 1));
      }
      return CassandraCalls.vector(vector, elements);
    }
    return scalar(type);
  }

  private List<ByteBuffer> elements(AbstractType<?> type, int depth) {
    int count = random.nextInt(depth == 0 ? 6 : 3);
    if (depth == 0 && random.nextInt(60) == 0) {
      count = 200;
    }
    List<ByteBuffer> elements = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      elements.add(nested(type, depth + 1));
    }
    return elements;
  }

  private ByteBuffer scalar(AbstractType<?> type) {
    if (type instanceof UTF8Type) {
      return ByteBuffer.wrap(text().getBytes(StandardCharsets.UTF_8));
    } else if (type instanceof AsciiType) {
      return ByteBuffer.wrap(ascii().getBytes(StandardCharsets.US_ASCII));
    } else if (type instanceof BytesType) {
      byte[] bytes = new byte[length()];
      random.nextBytes(bytes);
      return ByteBuffer.wrap(bytes);
    } else if (type instanceof Int32Type) {
      return Int32Type.instance.decompose((int) integer(32));
    } else if (type instanceof LongType || type instanceof CounterColumnType) {
      return LongType.instance.decompose(integer(64));
    } else if (type instanceof ShortType) {
      return ShortType.instance.decompose((short) integer(16));
    } else if (type instanceof ByteType) {
      return ByteType.instance.decompose((byte) integer(8));
    } else if (type instanceof IntegerType) {
      return IntegerType.instance.decompose(new BigInteger(random.nextInt(150), random).negate());
    } else if (type instanceof DecimalType) {
      return DecimalType.instance.decompose(
          new BigDecimal(new BigInteger(random.nextInt(100), random), random.nextInt(40) - 20));
    } else if (type instanceof BooleanType) {
      return BooleanType.instance.decompose(random.nextBoolean());
    } else if (type instanceof FloatType) {
      float[] special = {0f, -0f, Float.NaN, Float.NEGATIVE_INFINITY, Float.MIN_VALUE};
      return FloatType.instance.decompose(
          random.nextInt(5) == 0
              ? special[random.nextInt(special.length)]
              : (float) random.nextGaussian());
    } else if (type instanceof DoubleType) {
      double[] special = {0, -0d, Double.NaN, Double.POSITIVE_INFINITY, Double.MAX_VALUE, 1e21};
      return DoubleType.instance.decompose(
          random.nextInt(5) == 0
              ? special[random.nextInt(special.length)]
              : random.nextGaussian() * 1e6);
    } else if (type instanceof UUIDType) {
      return bits(0x4000L);
    } else if (type instanceof TimeUUIDType) {
      return bits(0x1000L);
    } else if (type instanceof TimestampType) {
      // Within the years that the dump prints with four digits.
      return LongType.instance.decompose(
          random.nextLong(-60_000_000_000_000L, 200_000_000_000_000L));
    } else if (type instanceof SimpleDateType) {
      return Int32Type.instance.decompose(Integer.MIN_VALUE + random.nextInt(-700_000, 2_000_000));
    } else if (type instanceof TimeType) {
      return LongType.instance.decompose(random.nextLong(86_400_000_000_000L));
    } else if (type instanceof DurationType) {
      int sign = random.nextBoolean() ? 1 : -1;
      return DurationType.instance.decompose(
          Duration.newInstance(
              sign * random.nextInt(1000),
              sign * random.nextInt(1000),
              sign * (random.nextLong() >>> (1 + random.nextInt(62)))));
    } else if (type instanceof InetAddressType) {
      byte[] address = new byte[random.nextBoolean() ? 4 : 16];
      random.nextBytes(address);
      try {
        return InetAddressType.instance.decompose(InetAddress.getByAddress(address));
      } catch (UnknownHostException e) {
        throw new IllegalStateException(e);
      }
    }
    throw new IllegalArgumentException("no random values of " + type);
  }

  private ByteBuffer bits(long version) {
    return ByteBuffer.allocate(16)
        .putLong(0, (random.nextLong() & ~0xF000L) | version)
        .putLong(8, (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L);
  }

  private long integer(int bits) {
    return switch (random.nextInt(8)) {
      case 0 -> -(1L << (bits - 1));
      case 1 -> (1L << (bits - 1)) - 1;
      case 2 -> 0;
      case 3 -> -1;
      default -> random.nextLong() >> (64 - bits + random.nextInt(bits));
    };
  }

  private int length() {
    int draw = random.nextInt(100);
    return draw < 10 ? 0 : draw < 90 ? random.nextInt(20) : draw < 99 ? random.nextInt(400) : 9000;
  }

  private String text() {
    int length = length();
    if (length > 400) {
      return ascii().repeat(20);
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(LETTERS[random.nextInt(LETTERS.length)]);
    }
    return text.toString();
  }

  private String ascii() {
    StringBuilder text = new StringBuilder();
    for (int i = length(); i > 0; i--) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }
}
