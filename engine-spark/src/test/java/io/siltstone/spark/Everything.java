package io.siltstone.spark;

import io.siltstone.schema.TableSchema;
import io.siltstone.type.CqlDuration;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A table with a column of every type. */
final class Everything {
  static final String CQL =
      "CREATE TYPE ks.address (street text, zip int);"
          + "CREATE TABLE ks.everything (k int, c text, st text static, ti tinyint, sm smallint,"
          + " b bigint, bo boolean, f float, d double, vi varint, de decimal, asc_ ascii, bl blob,"
          + " u uuid, tu timeuuid, ts timestamp, da date, tm time, du duration, ip inet,"
          + " l list<int>, s set<text>, m map<text, bigint>, fl frozen<list<frozen<list<int>>>>,"
          + " t tuple<int, text>, a address, fa frozen<address>, la list<frozen<address>>,"
          + " v vector<float, 3>, PRIMARY KEY (k, c))";
  static final UUID TIME_UUID = UUID.fromString("c0ffee00-1111-11ee-8000-000000000001");
  static final UUID RANDOM_UUID = UUID.fromString("6ba7b810-9dad-41d1-80b4-00c04fd430c8");

  private Everything() {}

  static Path make(Path directory) throws IOException {
    TableSchema schema = Tables.parse(CQL);
    InetAddress address = InetAddress.getByName("10.0.0.1");
    return Tables.add(
        directory,
        schema,
        writer ->
            List.of(
                writer
                    .mutation(1)
                    .insert("full")
                    .set("st", "shared")
                    .set("ti", 1)
                    .set("sm", 2)
                    .set("b", 3L)
                    .set("bo", true)
                    .set("f", 1.5f)
                    .set("d", 2.5)
                    .set("vi", new BigInteger("12345678901234567890123456789"))
                    .set("de", new BigDecimal("-1.25"))
                    .set("asc_", "ascii")
                    .set("bl", new byte[] {1, 2})
                    .set("u", RANDOM_UUID)
                    .set("tu", TIME_UUID)
                    .set("ts", Instant.parse("2024-02-29T12:30:00.123Z"))
                    .set("da", LocalDate.of(1969, 7, 20))
                    .set("tm", LocalTime.of(1, 2, 3, 4))
                    .set("du", new CqlDuration(1, 2, 3))
                    .set("ip", address)
                    .set("l", List.of(3, 1, 2))
                    .set("s", Set.of("x", "y"))
                    .set("m", Map.of("one", 1L, "two", 2L))
                    .set("fl", List.of(List.of(1), List.of(), List.of(2, 3)))
                    .set("t", Arrays.asList(7, null))
                    .set("a", Map.of("street", "Main", "zip", 12))
                    .set("fa", Map.of("zip", 13))
                    .set("la", List.of(Map.of("street", "A", "zip", 1), Map.of("street", "B")))
                    .set("v", List.of(1f, 2f, 3f))
                    .build(),
                writer.mutation(1).insert("empty").build(),
                writer.mutation(2).insert("long").set("s", Set.of("a", "b", "c")).build()));
  }
}
