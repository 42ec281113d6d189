package io.siltstone.spark.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.type.CqlTypes;
import java.time.Instant;
import java.util.List;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

/** Values of collections, tuples and user types in Spark's vectors. */
final class VectorValueTest {
  private static long micros(Instant time) {
    try (OnHeapColumnVector vector =
        new OnHeapColumnVector(1, DataTypes.createArrayType(DataTypes.TimestampType))) {
      VectorValue.of(CqlTypes.list(CqlTypes.TIMESTAMP), false)
          .putNullable(vector, 0, List.of(time));
      return vector.getArray(0).getLong(0);
    }
  }

  @Test
  void timestampsReachBeyondTheNanosecondsOfALong() {
    for (String text : List.of("2943-12-06T04:41:42.102Z", "0001-01-01T00:00:00.001Z")) {
      Instant time = Instant.parse(text);
      assertThat(micros(time)).as(text).isEqualTo(time.toEpochMilli() * 1000);
    }
  }

  @Test
  void timestampBeyondThoseOfSparkIsRefused() {
    Instant time = Instant.ofEpochMilli(Long.MAX_VALUE / 1000 + 1);
    assertThatThrownBy(() -> micros(time))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("beyond Spark's timestamps");
  }
}
