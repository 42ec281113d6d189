package io.siltstone.backup;

import io.siltstone.text.JsonLine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The manifest of one backup, in the file {@code backups/ID.jsonl}: lines of JSON.
 *
 * <pre>
 *   {"format":1,"id":3,"created_millis":1767225600000,"host_id":"...","copied_bytes":8124,"files":2}
 *   {"path":"siltstone.properties","length":92,"sha256":"...","modified_millis":1767225600000}
 *   {"path":"data/ks/t-.../oa-1-big-Data.db","length":8032,"sha256":"...","modified_millis":...}
 *   {"sha256":"..."}
 * </pre>
 *
 * The last line has the hash of all bytes before it. Members that are not known are ignored.
 *
 * @param id number of the backup, from 1
 * @param createdAt when the state of the database was taken
 * @param hostId of the database
 * @param copiedBytes the bytes that the backup added to what earlier ones had stored
 * @param files all files of the database
 */
public record Manifest(
    long id, Instant createdAt, UUID hostId, long copiedBytes, List<BackupFile> files) {
  private static final int FORMAT = 1;

  /** Copies the list. */
  public Manifest {
    files = List.copyOf(files);
  }

  /** Returns the sum of the lengths of all files, in bytes. */
  public long bytes() {
    return files.stream().mapToLong(BackupFile::length).sum();
  }

  String text() {
    StringBuilder text =
        new StringBuilder()
            .append(
                JsonLine.builder()
                    .put("format", FORMAT)
                    .put("id", id)
                    .put("created_millis", createdAt.toEpochMilli())
                    .put("host_id", hostId.toString())
                    .put("copied_bytes", copiedBytes)
                    .put("files", files.size())
                    .build())
            .append('\n');
    for (BackupFile file : files) {
      text.append(
              JsonLine.builder()
                  .put("path", file.path())
                  .put("length", file.length())
                  .put("sha256", file.sha256())
                  .put("modified_millis", file.modifiedMillis())
                  .build())
          .append('\n');
    }
    String hash = ContentHash.of(text.toString());
    return text.append(JsonLine.builder().put("sha256", hash).build()).append('\n').toString();
  }

  /**
   * Parses a manifest.
   *
   * @throws IllegalArgumentException if the text is damaged or of a later format; the message says
   *     how
   */
  static Manifest parse(String text) {
    int last = text.lastIndexOf('\n', text.length() - 2) + 1;
    if (last == 0 || !text.endsWith("\n")) {
      throw new IllegalArgumentException("it is not complete");
    }
    String body = text.substring(0, last);
    if (!JsonLine.parse(text.substring(last).strip())
        .string("sha256")
        .equals(ContentHash.of(body))) {
      throw new IllegalArgumentException("its text does not have the hash in its last line");
    }
    List<String> lines = body.lines().toList();
    JsonLine head = JsonLine.parse(lines.get(0));
    if (head.number("format") != FORMAT) {
      throw new IllegalArgumentException(
          "it has the format " + head.number("format") + ", readable is " + FORMAT);
    }
    List<BackupFile> files = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      JsonLine file = JsonLine.parse(line);
      files.add(
          new BackupFile(
              file.string("path"),
              file.number("length"),
              file.string("sha256"),
              file.number("modified_millis")));
    }
    return new Manifest(
        head.number("id"),
        Instant.ofEpochMilli(head.number("created_millis")),
        UUID.fromString(head.string("host_id")),
        head.number("copied_bytes"),
        files);
  }
}
