package io.siltstone.type;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompatibilityTest {
  private static CqlType type(String name) {
    String marshal = "org.apache.cassandra.db.marshal.";
    return TypeParser.parse(name.replaceAll("([A-Z][A-Za-z0-9]*)", marshal + "$1Type"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Int32 | Int32
          UTF8 | Ascii
          Bytes | UTF8
          Bytes | Decimal
          Bytes | Tuple(Int32)
          UUID | TimeUUID
          Long | Timestamp
          Timestamp | Long
          List(UTF8) | List(Ascii)
          List(Timestamp) | List(Long)
          Set(Bytes) | Set(UTF8)
          Map(UTF8,Bytes) | Map(Ascii,UTF8)
          Frozen(List(UTF8)) | Frozen(List(Ascii))
          Frozen(Map(UTF8,Timestamp)) | Frozen(Map(UTF8,Long))
          Tuple(Integer,Bytes) | Tuple(Int32,Long)
          Tuple(SimpleDate,Time,Int32) | Tuple(Int32,Long)
          Vector(Float , 3) | Vector(Float , 3)
          """)
  void aColumnComesBackWithATypeThatReadsItsCells(String type, String before) {
    assertThat(type(type).canReadCellsOf(type(before))).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          UTF8 | Int32
          Bytes | Int32
          UTF8 | Bytes
          Ascii | UTF8
          Integer | Int32
          SimpleDate | Int32
          Time | Long
          TimeUUID | UUID
          Long | Double
          Bytes | Frozen(List(Int32))
          List(Int32) | Frozen(List(Int32))
          Frozen(List(Int32)) | List(Int32)
          List(Int32) | Set(Int32)
          List(Integer) | List(Int32)
          Set(Long) | Set(Timestamp)
          Map(Bytes,Int32) | Map(UUID,Int32)
          Frozen(List(Integer)) | Frozen(List(Int32))
          Tuple(Int32) | Tuple(Int32,Int32)
          Tuple(Int32) | Int32
          Vector(Float , 3) | Vector(Float , 2)
          """)
  void aColumnDoesNotComeBackWithAnotherType(String type, String before) {
    assertThat(type(type).canReadCellsOf(type(before))).isFalse();
  }
}
