package io.siltstone.spark.types;

import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The CQL types of columns of a table that is made for a data frame. */
public final class CqlColumns {
  private static final Map<DataType, CqlType> SCALARS =
      Map.ofEntries(
          Map.entry(DataTypes.BooleanType, CqlTypes.BOOLEAN),
          Map.entry(DataTypes.ByteType, CqlTypes.TINYINT),
          Map.entry(DataTypes.ShortType, CqlTypes.SMALLINT),
          Map.entry(DataTypes.IntegerType, CqlTypes.INT),
          Map.entry(DataTypes.LongType, CqlTypes.BIGINT),
          Map.entry(DataTypes.FloatType, CqlTypes.FLOAT),
          Map.entry(DataTypes.DoubleType, CqlTypes.DOUBLE),
          Map.entry(DataTypes.StringType, CqlTypes.TEXT),
          Map.entry(DataTypes.BinaryType, CqlTypes.BLOB),
          Map.entry(DataTypes.DateType, CqlTypes.DATE),
          Map.entry(DataTypes.TimestampType, CqlTypes.TIMESTAMP));

  private CqlColumns() {}

  /**
   * Returns the type of a column.
   *
   * @param column its name, for messages
   * @throws IllegalArgumentException if there is none; the message names the column
   */
  public static CqlType of(String column, DataType type) {
    if (type instanceof DecimalType) {
      return CqlTypes.DECIMAL;
    }
    if (type instanceof ArrayType array) {
      return CqlTypes.list(of(column, array.elementType()).frozen());
    }
    if (type instanceof MapType map) {
      return CqlTypes.map(of(column, map.keyType()).frozen(), of(column, map.valueType()).frozen());
    }
    if (type instanceof StructType struct) {
      return ofStruct(column, struct);
    }
    CqlType scalar = SCALARS.get(type);
    if (scalar == null) {
      throw new IllegalArgumentException(
          "column " + column + " is of type " + type.sql() + ", for which there is no CQL type");
    }
    return scalar;
  }

  private static CqlType ofStruct(String column, StructType struct) {
    if (struct.sameType(SparkTypes.DURATION)) {
      return CqlTypes.DURATION;
    }
    List<CqlType> fields = new ArrayList<>();
    for (StructField field : struct.fields()) {
      fields.add(of(column, field.dataType()).frozen());
    }
    return CqlTypes.tuple(fields);
  }
}
