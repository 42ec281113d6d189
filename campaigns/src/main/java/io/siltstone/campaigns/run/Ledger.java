package io.siltstone.campaigns.run;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The file {@code ledger.jsonl} of a campaign's directory, with the results: one line of JSON for
 * some minutes of work, so that a killed run loses little. Lines are only appended, and the sums
 * over all lines are the figures of the campaign.
 */
final class Ledger {
  static final String FILE = "ledger.jsonl";

  private final Path file;
  private final String campaign;
  private final Counts counts = new Counts();
  private long nextRound;
  private long rounds;
  private long deviations;
  private long millis;

  private Ledger(Path file, String campaign) {
    this.file = file;
    this.campaign = campaign;
  }

  /**
   * Reads the ledger of a directory; it is empty if there is none.
   *
   * @throws UsageException if it is the ledger of another campaign
   */
  static Ledger open(Path directory, String campaign) throws IOException {
    Ledger ledger = new Ledger(directory.resolve(FILE), campaign);
    if (Files.exists(ledger.file)) {
      for (String line : Files.readAllLines(ledger.file)) {
        if (!line.isBlank()) {
          ledger.read(line);
        }
      }
    }
    return ledger;
  }

  /** Returns the number of the first round that was not run. */
  long nextRound() {
    return nextRound;
  }

  /** Returns how many rounds were run. */
  long rounds() {
    return rounds;
  }

  /** Returns how many deviations were found. */
  long deviations() {
    return deviations;
  }

  /** Returns the duration of all rounds. */
  long millis() {
    return millis;
  }

  /** Returns the sums of all counts. */
  Counts counts() {
    return counts;
  }

  /**
   * A line of the ledger, with the results of some rounds.
   *
   * @param commit of the sources, or empty
   */
  record Line(
      String commit,
      long seed,
      long firstRound,
      long rounds,
      long millis,
      Map<String, Long> counts,
      List<String> deviations) {}

  /** Appends a line, and adds it to the sums. */
  void append(Line line) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("campaign", campaign);
      json.writeStringField("commit", line.commit());
      json.writeStringField("ended", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
      json.writeStringField("java", Runtime.version().toString());
      json.writeStringField("system", system());
      json.writeNumberField("seed", line.seed());
      json.writeNumberField("firstRound", line.firstRound());
      json.writeNumberField("rounds", line.rounds());
      json.writeNumberField("millis", line.millis());
      json.writeObjectFieldStart("counts");
      for (Map.Entry<String, Long> count : line.counts().entrySet()) {
        json.writeNumberField(count.getKey(), count.getValue());
      }
      json.writeEndObject();
      json.writeArrayFieldStart("deviations");
      for (String deviation : line.deviations()) {
        json.writeString(deviation);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    Files.writeString(
        file,
        text + "\n",
        StandardCharsets.UTF_8,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    read(text.toString());
  }

  private static String system() {
    return System.getProperty("os.name")
        + " "
        + System.getProperty("os.version")
        + " "
        + System.getProperty("os.arch");
  }

  private void read(String line) throws IOException {
    long first = 0;
    long count = 0;
    try (JsonParser json = new JsonFactory().createParser(line)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        json.nextToken();
        switch (name) {
          case "campaign" -> requireCampaign(json.getText());
          case "firstRound" -> first = json.getLongValue();
          case "rounds" -> count = json.getLongValue();
          case "millis" -> millis += json.getLongValue();
          case "counts" -> readCounts(json);
          case "deviations" -> deviations += strings(json).size();
          default -> json.skipChildren();
        }
      }
    } catch (IOException e) {
      throw new IOException(file + ": not a line of a ledger: " + line, e);
    }
    rounds += count;
    nextRound = Math.max(nextRound, first + count);
  }

  private void requireCampaign(String found) throws IOException {
    if (!found.equals(campaign)) {
      throw new UsageException(
          file
              + " is the ledger of the campaign "
              + found
              + ", expected "
              + campaign
              + "; choose another --directory");
    }
  }

  private void readCounts(JsonParser json) throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      counts.add(name, json.getLongValue());
    }
  }

  private static List<String> strings(JsonParser json) throws IOException {
    List<String> all = new ArrayList<>();
    while (json.nextToken() == JsonToken.VALUE_STRING) {
      all.add(json.getText());
    }
    return all;
  }
}
