package io.siltstone.spark.types;

import io.siltstone.rows.ColumnVector;
import io.siltstone.type.CqlType;
import java.util.Objects;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * Fills vectors of Spark with one column of the engine's columnar reader: its values, and the
 * fields that it has in the metadata columns {@code writetime} and {@code ttl}. Any of them may be
 * missing. Used by one thread.
 */
public final class ColumnFiller implements ColumnVector {
  private static final long MICROS_PER_MILLI = 1000;

  private enum Form {
    TIMESTAMP,
    BYTES,
    DECODED,
    OTHER
  }

  private final CqlType type;
  private final Form form;
  private final VectorValue decoded;
  private final @Nullable WritableColumnVector values;
  private final @Nullable WritableColumnVector writetimes;
  private final @Nullable WritableColumnVector ttls;

  /**
   * @param type of the column
   * @param areNumbersText whether varint and decimal are strings
   * @param values receives the values; null if they are not needed
   * @param writetimes receives their timestamps in microseconds; null if they are not needed
   * @param ttls receives the seconds until they expire; null if they are not needed
   */
  public ColumnFiller(
      CqlType type,
      boolean areNumbersText,
      @Nullable WritableColumnVector values,
      @Nullable WritableColumnVector writetimes,
      @Nullable WritableColumnVector ttls) {
    this.type = type.unreversed().frozen();
    this.form = form(this.type);
    this.decoded = VectorValue.of(this.type, areNumbersText);
    this.values = values;
    this.writetimes = writetimes;
    this.ttls = ttls;
  }

  private static Form form(CqlType type) {
    return switch (type.cqlName()) {
      case "timestamp" -> Form.TIMESTAMP;
      case "text", "ascii", "blob" -> Form.BYTES;
      case "boolean",
          "tinyint",
          "smallint",
          "int",
          "bigint",
          "counter",
          "time",
          "date",
          "float",
          "double" ->
          Form.OTHER;
      default -> Form.DECODED;
    };
  }

  @Override
  public void putNull(int row) {
    if (values != null) {
      values.putNull(row);
    }
    if (writetimes != null) {
      writetimes.putNull(row);
    }
    if (ttls != null) {
      ttls.putNull(row);
    }
  }

  @Override
  public void putBoolean(int row, boolean value) {
    if (values != null) {
      values.putBoolean(row, value);
    }
  }

  @Override
  public void putByte(int row, byte value) {
    if (values != null) {
      values.putByte(row, value);
    }
  }

  @Override
  public void putShort(int row, short value) {
    if (values != null) {
      values.putShort(row, value);
    }
  }

  @Override
  public void putInt(int row, int value) {
    if (values != null) {
      values.putInt(row, value);
    }
  }

  @Override
  public void putLong(int row, long value) {
    if (values != null) {
      values.putLong(row, form == Form.TIMESTAMP ? micros(value) : value);
    }
  }

  private static long micros(long millis) {
    long micros = millis * MICROS_PER_MILLI;
    if (micros / MICROS_PER_MILLI != millis) {
      throw new IllegalArgumentException(millis + " ms is beyond Spark's timestamps");
    }
    return micros;
  }

  @Override
  public void putFloat(int row, float value) {
    if (values != null) {
      values.putFloat(row, value);
    }
  }

  @Override
  public void putDouble(int row, double value) {
    if (values != null) {
      values.putDouble(row, value);
    }
  }

  @Override
  public void putBytes(int row, byte[] from, int offset, int length) {
    if (values == null) {
      return;
    }
    if (form == Form.BYTES) {
      values.putByteArray(row, from, offset, length);
    } else {
      decoded.put(values, row, Objects.requireNonNull(type.decode(from, offset, length)));
    }
  }

  @Override
  public boolean takesTimes() {
    return writetimes != null || ttls != null;
  }

  @Override
  public void putTimes(int row, long timestampMicros, int ttlSeconds) {
    if (writetimes != null) {
      writetimes.putLong(row, timestampMicros);
    }
    if (ttls != null) {
      if (ttlSeconds == 0) {
        ttls.putNull(row);
      } else {
        ttls.putInt(row, ttlSeconds);
      }
    }
  }
}
