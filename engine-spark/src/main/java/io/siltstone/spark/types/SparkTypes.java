package io.siltstone.spark.types;

import io.siltstone.type.CqlType;
import io.siltstone.type.UserType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The mapping of CQL's types to Spark's.
 *
 * <pre>
 *   boolean, tinyint, smallint, int, bigint     boolean, byte, short, int, long
 *   counter, time                               long; of a time the nanoseconds since midnight
 *   float, double                               float, double
 *   varint                                      decimal(38, 0), or string
 *   decimal                                     decimal(38, 18), or string
 *   text, ascii, uuid, timeuuid, inet           string
 *   blob, and types that are not of CQL         binary
 *   timestamp, date                             timestamp, date
 *   duration                                    struct of months, days, nanoseconds
 *   list, set, vector                           array
 *   map                                         map
 *   tuple                                       struct of _1, _2, ...
 *   user type                                   struct of its fields
 * </pre>
 */
public final class SparkTypes {
  /** The type of numbers of any length: the largest that Spark has. */
  static final int PRECISION = DecimalType.MAX_PRECISION();

  /** Digits after the decimal point of a decimal, as Spark has them by default. */
  static final int SCALE = 18;

  /** The type of a duration. */
  static final StructType DURATION =
      new StructType()
          .add("months", DataTypes.IntegerType, false)
          .add("days", DataTypes.IntegerType, false)
          .add("nanoseconds", DataTypes.LongType, false);

  private static final Map<String, DataType> SCALARS =
      Map.ofEntries(
          Map.entry("boolean", DataTypes.BooleanType),
          Map.entry("tinyint", DataTypes.ByteType),
          Map.entry("smallint", DataTypes.ShortType),
          Map.entry("int", DataTypes.IntegerType),
          Map.entry("bigint", DataTypes.LongType),
          Map.entry("counter", DataTypes.LongType),
          Map.entry("time", DataTypes.LongType),
          Map.entry("float", DataTypes.FloatType),
          Map.entry("double", DataTypes.DoubleType),
          Map.entry("text", DataTypes.StringType),
          Map.entry("ascii", DataTypes.StringType),
          Map.entry("uuid", DataTypes.StringType),
          Map.entry("timeuuid", DataTypes.StringType),
          Map.entry("inet", DataTypes.StringType),
          Map.entry("timestamp", DataTypes.TimestampType),
          Map.entry("date", DataTypes.DateType),
          Map.entry("duration", DURATION));

  private SparkTypes() {}

  /**
   * Returns the type of Spark.
   *
   * @param areNumbersText whether varint and decimal, which may be too long for Spark's decimals,
   *     are strings
   */
  public static DataType of(CqlType type, boolean areNumbersText) {
    CqlType plain = type.unreversed();
    List<CqlType> parts = plain.elementTypes();
    return switch (plain.kind()) {
      case LIST, SET, VECTOR -> DataTypes.createArrayType(of(parts.get(0), areNumbersText), false);
      case MAP ->
          DataTypes.createMapType(
              of(parts.get(0), areNumbersText), of(parts.get(1), areNumbersText), false);
      case TUPLE -> struct(tupleNames(parts.size()), parts, areNumbersText);
      case USER ->
          struct(
              ((UserType) plain).fields().stream().map(UserType.Field::name).toList(),
              parts,
              areNumbersText);
      case SCALAR -> scalar(plain.cqlName(), areNumbersText);
      case COMPOSITE, REVERSED -> DataTypes.BinaryType;
    };
  }

  private static DataType scalar(String name, boolean areNumbersText) {
    if (name.equals("varint") || name.equals("decimal")) {
      return areNumbersText
          ? DataTypes.StringType
          : DataTypes.createDecimalType(PRECISION, name.equals("varint") ? 0 : SCALE);
    }
    return SCALARS.getOrDefault(name, DataTypes.BinaryType);
  }

  private static List<String> tupleNames(int count) {
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      names.add("_" + i);
    }
    return names;
  }

  private static StructType struct(List<String> names, List<CqlType> types, boolean areText) {
    StructField[] fields = new StructField[names.size()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = DataTypes.createStructField(names.get(i), of(types.get(i), areText), true);
    }
    return DataTypes.createStructType(fields);
  }
}
