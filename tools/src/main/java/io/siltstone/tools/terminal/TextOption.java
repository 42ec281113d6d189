package io.siltstone.tools.terminal;

import io.siltstone.io.UnreadableFileException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads text files that are named by options. */
public final class TextOption {
  private static final int MAX_BYTES = 16 << 20;

  private TextOption() {}

  /**
   * Returns the whole text of a file, which may be a pipe.
   *
   * @param option name for messages
   * @throws UsageException if it is a directory, not UTF-8, or too long
   * @throws IOException naming the file, if it cannot be read
   */
  public static String read(String option, Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new UsageException(option + " " + file + " is a directory, expected a file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new UsageException(
            option + " " + file + " has more than " + MAX_BYTES + " bytes, the maximum");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new UsageException(option + " " + file + " is not UTF-8 text", e);
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      // The system's message for a failed read does not name the file.
      throw new UnreadableFileException(file.toString(), 0, e);
    }
  }
}
