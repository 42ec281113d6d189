package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.compress.CompressionOptions;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DataFactsTest {
  private static DataFacts random(Random random) {
    long length = random.nextLong() >>> random.nextInt(1, 64);
    long fileBytes = random.nextLong() >>> random.nextInt(1, 64);
    if (random.nextInt(4) == 0) {
      return new DataFacts(length, fileBytes, CompressionOptions.NONE);
    }
    String name = CompressionOptions.COMPRESSORS.get(random.nextInt(3));
    int chunkLength = 1024 << random.nextInt(8);
    int most = random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(1, chunkLength);
    Map<String, String> options =
        random.nextBoolean() ? Map.of() : Map.of("a-b", "1.5", "level", "" + random.nextInt(9));
    return new DataFacts(
        length, fileBytes, CompressionOptions.ofFile(name, chunkLength, most, options));
  }

  @Test
  void textHasAllOfTheFacts() {
    long seed = Long.getLong("siltstone.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < 1000; i++) {
      DataFacts facts = random(random);
      String text = facts.toText();
      assertThat(text).as("-Dsiltstone.seed=%d", seed).isNotNull().doesNotContain("\n");
      assertThat(DataFacts.parse(text)).as("-Dsiltstone.seed=%d: %s", seed, text).isEqualTo(facts);
    }
  }

  @Test
  void optionWithSpacesOrLineEndsHasNoText() {
    for (String value : new String[] {"a b", "a\nb", "a=b"}) {
      CompressionOptions compression =
          CompressionOptions.ofFile(
              "LZ4Compressor", 16384, Integer.MAX_VALUE, Map.of("option", value));
      assertThat(new DataFacts(1, 1, compression).toText()).as(value).isNull();
    }
  }

  @Test
  void textOfAnotherFormHasNoFacts() {
    for (String text :
        new String[] {
          "",
          "x",
          "1",
          "1 ",
          "1 x",
          "1 2 16384",
          "1 2 16384 9",
          "1 2 16384 x LZ4Compressor",
          "1 2 16384 9 LZ4Compressor a",
          "1  2 3",
          "1 16384 9 LZ4Compressor a=b"
        }) {
      assertThat(DataFacts.parse(text)).as("'%s'", text).isNull();
    }
  }
}
