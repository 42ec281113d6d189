package io.siltstone.spark;

import static io.siltstone.spark.LocalSpark.read;
import static io.siltstone.spark.LocalSpark.texts;
import static io.siltstone.spark.Tables.READINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.BulkWriter;
import io.siltstone.io.EncryptedDirectory;
import io.siltstone.io.NioDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted SSTables. */
final class EncryptedFilesTest {
  private static final String KEY = "00112233445566778899aabbccddeeff";

  @TempDir Path directory;
  private Path table = Path.of("");
  private Path keys = Path.of("");

  @BeforeEach
  void makeTable() throws IOException {
    keys = Files.writeString(directory.resolve("keys"), "# keys\n2027;" + KEY + "\n");
    table = Catalogs.directory(directory.resolve("data"), READINGS);
    EncryptedDirectory encrypted =
        EncryptedDirectory.over(
            NioDirectory.open(table),
            EncryptedDirectory.Keys.of(
                "2027", new SecretKeySpec(HexFormat.of().parseHex(KEY), "AES")));
    try (BulkWriter writer = BulkWriter.into(encrypted, READINGS).open()) {
      for (int day = 0; day < 500; day++) {
        writer.add(writer.mutation("roof" + day % 7).insert(day).set("celsius", day).build());
      }
      writer.commit();
    }
  }

  @Test
  void filesAreReadWithTheKeysOfTheFile() {
    Map<String, String> options = Map.of("keyFile", keys.toString(), "splitBytes", "2000");
    assertThat(read(options, table).count()).isEqualTo(500);
    assertThat(texts(read(options, table).where("sensor = 'roof3' and day < 9")))
        .containsExactly("[roof3,3,3.0,null]");
    assertThat(read(options, "other://" + table).where("day > 400").count()).isEqualTo(99);
  }

  @Test
  void catalogReadsThemAndDoesNotChangeThem() {
    String cat = Catalogs.add(directory.resolve("data"), Map.of("keyFile", keys.toString()));
    assertThat(Catalogs.rows("SELECT count(celsius) FROM " + cat + ".ks.readings"))
        .containsExactly("[500]");
    assertThatThrownBy(() -> Catalogs.sql("DROP TABLE " + cat + ".ks.readings"))
        .hasStackTraceContaining("are encrypted, which Spark only reads");
  }

  @Test
  void whatIsWrongIsNamed() throws IOException {
    assertThatThrownBy(() -> read(table).collect())
        .hasStackTraceContaining("is encrypted with the key '2027', which is unknown");
    Path wrong = Files.writeString(directory.resolve("wrong"), "2027;00\n");
    assertThatThrownBy(() -> read(Map.of("keyFile", wrong.toString()), table).collect())
        .hasStackTraceContaining("option keyFile: " + wrong + ", line 1 has a key of 1 bytes");
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> read(Map.of("keyFile", missing.toString()), table).collect())
        .hasStackTraceContaining(missing.toString());
    Path plain = Tables.define(directory.resolve("plain"), READINGS);
    assertThatThrownBy(() -> read(Map.of("keyFile", keys.toString()), plain).collect())
        .hasStackTraceContaining(plain + "/schema.cql");
    assertThatThrownBy(
            () ->
                LocalSpark.session()
                    .sql("SELECT 'roof' sensor, 1 day")
                    .write()
                    .format("sstable")
                    .mode(SaveMode.Append)
                    .option("schema", READINGS.toCql())
                    .option("keyFile", keys.toString())
                    .save(directory.resolve("new").toString()))
        .hasStackTraceContaining("option keyFile is for reading");
    assertThat(directory.resolve("new")).doesNotExist();
  }
}
