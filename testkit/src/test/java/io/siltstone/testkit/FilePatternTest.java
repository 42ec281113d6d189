package io.siltstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilePatternTest {
  @ParameterizedTest
  @CsvSource({
    "*, nb-1-big-Data.db, true",
    "*, child/file, true",
    "*-Data.db, nb-1-big-Data.db, true",
    "*-Data.db, child/nb-1-big-Data.db, true",
    "*-Data.db, nb-1-big-Data.db.tmp, false",
    "*-Data.db, nb-1-big-Dataxdb, false",
    "*-Data.db, nb-1-big-Index.db, false",
    "nb-?-*, nb-1-big-Data.db, true",
    "nb-?-*, nb-12-big-Data.db, false",
    "child/*, child/file, true",
    "child/*, file, false",
    "child/*, child/deeper/file, false",
    "*/*, child/file, true",
    "(a|b)[c], (a|b)[c], true",
    "(a|b)[c], ac, false"
  })
  void aStarIsWithinOneName(String pattern, String path, boolean matches) {
    assertThat(FilePattern.of(pattern).matches(path)).isEqualTo(matches);
    assertThat(FilePattern.of(pattern)).hasToString(pattern);
  }
}
