package io.siltstone.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HtmlWriterTest {
  @Test
  void textIsEscapedAndMarkupIsNot() {
    assertThat(new HtmlWriter().raw("<p>").text("<a href='x'>\"&\u0001\n").raw("</p>").toString())
        .isEqualTo("<p>&lt;a href=&#39;x&#39;&gt;&quot;&amp;\ufffd\n</p>");
  }
}
