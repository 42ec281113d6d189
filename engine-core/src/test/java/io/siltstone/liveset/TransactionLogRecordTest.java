package io.siltstone.liveset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionLogRecordTest {
  private static final String PREFIX = "oa-3-big-";

  private static TransactionLogRecord record(String directory) {
    return new TransactionLogRecord(
        TransactionLogRecord.Type.REMOVE, TransactionLogRecord.path(directory, PREFIX), 1234, 9);
  }

  @Test
  void theWholePathIsInTheLine() {
    for (String directory : List.of("/data/ks/t-1", "/da,ta/[0,1][2]", "/d\u00e4ta/\t ")) {
      TransactionLogRecord record = record(directory);
      assertThat(record.path()).isEqualTo(directory + "/" + PREFIX);
      assertThat(TransactionLogRecord.parse(record.line().stripTrailing())).isEqualTo(record);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r", "\r\n", "\u000b", "\f", "\u0085", "\u2028", "\u2029"})
  void aDirectoryWhoseNameBreaksLinesIsLeftOut(String end) {
    TransactionLogRecord record = record("/data" + end + "/t");
    assertThat(record.path()).isEqualTo(PREFIX);
    assertThat(record.line()).hasLineCount(1).endsWith("\n");
    assertThat(TransactionLogRecord.parse(record.line().stripTrailing())).isEqualTo(record);
    assertThat(record.prefix()).isEqualTo(PREFIX);
  }
}
