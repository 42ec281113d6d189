package io.siltstone.tools.backup;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.Backups;
import io.siltstone.text.CountText;
import io.siltstone.tools.terminal.Units;
import java.io.IOException;

/** The text and the JSON that the commands print for a backup. */
final class BackupText {
  /** The description of the option for JSON. */
  static final String JSON = "Print one JSON document; sizes are bytes.";

  private BackupText() {}

  /** Returns one line with the number, time and size of a backup. */
  static String line(Backups.Backup backup) {
    return "backup "
        + backup.id()
        + " of "
        + backup.createdAt()
        + ": "
        + CountText.of(backup.files(), "file")
        + ", "
        + Units.bytes(backup.bytes())
        + ", of which "
        + Units.bytes(backup.copiedBytes())
        + " were copied";
  }

  /** Writes a backup as a JSON object. */
  static void write(JsonGenerator json, Backups.Backup backup) throws IOException {
    json.writeStartObject();
    json.writeNumberField("id", backup.id());
    json.writeStringField("created_at", backup.createdAt().toString());
    json.writeStringField("host_id", backup.hostId().toString());
    json.writeNumberField("files", backup.files());
    json.writeNumberField("bytes", backup.bytes());
    json.writeNumberField("copied_bytes", backup.copiedBytes());
    json.writeEndObject();
  }
}
