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

/** Texts that options name. */
public final class TextOption {
  private static final int MAX_BYTES = 16 << 20;

  private TextOption() {}

  /**
   * The whole text of a file, which may be a pipe.
   *
   * @param option for messages
   * @throws UsageException if it is a directory, not UTF-8, or longer than any such text is
   * @throws IOException naming the file, if it cannot be read
   */
  public static String read(String option, Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new UsageException(option + " " + file + " is a directory, a file is wanted");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new UsageException(
            option + " " + file + " has more than " + MAX_BYTES + " bytes, which are allowed");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new UsageException(option + " " + file + " is not UTF-8 text", e);
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      // What the system says of a failed read has no name.
      throw new UnreadableFileException(file.toString(), 0, e);
    }
  }
}
