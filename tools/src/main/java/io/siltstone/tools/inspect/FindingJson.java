package io.siltstone.tools.inspect;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.explain.Explained;
import io.siltstone.explain.Finding;
import io.siltstone.explain.Finding.Shadow;
import io.siltstone.explain.FindingListener;
import io.siltstone.explain.PurgeOutcome;
import io.siltstone.explain.Source;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Writes the findings of a key, as they are found, as fields of an object that the caller has
 * begun.
 */
final class FindingJson implements FindingListener {
  private final JsonGenerator json;
  private final long limit;
  private final List<String> damaged = new ArrayList<>();
  private final List<String> unseen = new ArrayList<>();
  private long written;

  /**
   * @param limit greatest number of findings that are written
   */
  FindingJson(JsonGenerator json, long limit) {
    this.json = json;
    this.limit = limit;
  }

  void begin() throws IOException {
    json.writeArrayFieldStart("findings");
  }

  @Override
  public boolean found(Finding of) throws IOException {
    if (written == limit) {
      return false;
    }
    written++;
    json.writeStartObject();
    json.writeStringField("holder", of.source().name());
    json.writeStringField("item", lower(of.item()));
    json.writeBooleanField("static", of.location().isStatic());
    json.writeStringField("place", of.location().place());
    json.writeStringField("column", of.location().column());
    json.writeStringField("path", of.location().path());
    json.writeStringField("value", of.value().text());
    json.writeNumberField("value_bytes", of.value().bytes());
    json.writeNumberField("timestamp", of.times().timestamp());
    json.writeNumberField("ttl", of.times().ttl());
    time("local_deletion_time", of.times().localDeletionTime());
    json.writeStringField("verdict", lower(of.verdict()));
    if (of.shadow().isPresent()) {
      Shadow shadow = of.shadow().get();
      json.writeObjectFieldStart("shadow");
      json.writeStringField("item", lower(shadow.item()));
      json.writeStringField("holder", shadow.by().name());
      json.writeNumberField("timestamp", shadow.timestamp());
      time("local_deletion_time", shadow.localDeletionTime());
      json.writeEndObject();
    } else {
      json.writeNullField("shadow");
    }
    outcome(of.outcome());
    json.writeEndObject();
    return true;
  }

  private void outcome(PurgeOutcome outcome) throws IOException {
    json.writeObjectFieldStart("fate");
    json.writeStringField("kind", lower(outcome.kind()));
    json.writeBooleanField("purgeable", outcome.isPurgeable());
    if (outcome.kind() == PurgeOutcome.Kind.GRACE) {
      json.writeNumberField("from", outcome.from());
    } else {
      json.writeNullField("from");
    }
    json.writeArrayFieldStart("holders");
    for (Source source : outcome.sources()) {
      json.writeString(source.name());
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void time(String name, long seconds) throws IOException {
    if (seconds == DeletionTime.NO_DELETION_TIME) {
      json.writeNullField(name);
    } else {
      json.writeNumberField(name, seconds);
    }
  }

  private static String lower(Enum<?> of) {
    return of.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void damaged(Source source, Throwable cause) {
    if (source.kind() == Source.Kind.QUARANTINED) {
      unseen.add(source.name());
    } else {
      damaged.add(source + " was skipped: " + cause.getMessage());
    }
  }

  List<String> damaged() {
    return damaged;
  }

  void end(Explained all) throws IOException {
    json.writeEndArray();
    json.writeArrayFieldStart("unseen");
    for (String source : unseen) {
      json.writeString(source);
    }
    json.writeEndArray();
    json.writeObjectFieldStart("summary");
    json.writeNumberField("holders", all.sources());
    json.writeNumberField("live", all.findings().live());
    json.writeNumberField("expired", all.findings().expired());
    json.writeNumberField("tombstones", all.findings().tombstones());
    json.writeNumberField("shadowed", all.findings().shadowed());
    json.writeNumberField("dropped", all.findings().dropped());
    json.writeNumberField("below_floor", all.findings().belowFloor());
    json.writeNumberField("purgeable", all.findings().purgeable());
    json.writeNumberField("rows", all.rows());
    json.writeNumberField("live_rows", all.liveRows());
    json.writeBooleanField("whole", all.isWhole());
    json.writeEndObject();
  }
}
