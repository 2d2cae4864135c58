package io.tidemark.core.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Product classes with a mistake planted into them: compiled from their source with one expression replaced, and loaded, with all
 * other classes of the project, by a loader of their own. The product has no hook for it.
 */
final class PlantedFaults {
    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final String OURS = "io.tidemark.";

    private final Path directory;

    /**
     * @param directory takes what is compiled
     */
    PlantedFaults(Path directory) {
        this.directory = directory;
    }

    /**
     * A mistake.
     *
     * @param className with its package
     * @param right occurs once in the source of that class
     * @param wrong to be put in its place
     * @param finder a {@code Supplier<String>} of the tests, with a constructor that takes nothing: it answers what it found, or
     *     an empty text
     */
    record Fault(String className, String right, String wrong, Class<? extends Supplier<String>> finder) {
        @Override
        public String toString() {
            return className.substring(className.lastIndexOf('.') + 1) + ": " + right + " -> " + wrong;
        }
    }

    /** What the finder says when it runs on the product with the mistake in it. */
    String find(Fault fault) throws Exception {
        compile(fault);
        Loader loader = new Loader(directory);
        Object finder = loader.loadClass(fault.finder().getName())
                .getDeclaredConstructor()
                .newInstance();
        return (String) ((Supplier<?>) finder).get();
    }

    /** Whether the source still has what is to be replaced, exactly once. */
    static boolean isUpToDate(Fault fault) throws IOException {
        String source = Files.readString(source(fault));
        int at = source.indexOf(fault.right());
        return at >= 0 && source.indexOf(fault.right(), at + 1) < 0;
    }

    private void compile(Fault fault) throws IOException {
        String simpleName = fault.className().substring(fault.className().lastIndexOf('.') + 1);
        Path changed = directory.resolve(simpleName + ".java");
        Files.writeString(changed, Files.readString(source(fault)).replace(fault.right(), fault.wrong()));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        String classPath = System.getProperty("java.class.path");
        int status = compiler.run(
                null,
                messages,
                messages,
                "-proc:none",
                "-nowarn",
                "-cp",
                classPath,
                "-d",
                directory.toString(),
                changed.toString());
        if (status != 0) {
            throw new AssertionError(fault + " does not compile: " + messages.toString(StandardCharsets.UTF_8));
        }
    }

    private static Path source(Fault fault) {
        return SOURCES.resolve(fault.className().replace('.', '/') + ".java");
    }

    /** Loads the project's classes anew, the changed ones from the directory. */
    private static final class Loader extends ClassLoader {
        private final Path directory;

        private Loader(Path directory) {
            super(PlantedFaults.class.getClassLoader());
            this.directory = directory;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null || !name.startsWith(OURS)) {
                    return known != null ? known : super.loadClass(name, resolve);
                }
                byte[] bytes = bytesOf(name.replace('.', '/') + ".class");
                return defineClass(name, bytes, 0, bytes.length);
            }
        }

        private byte[] bytesOf(String file) throws ClassNotFoundException {
            Path changed = directory.resolve(file);
            try (InputStream original = getParent().getResourceAsStream(file)) {
                if (Files.exists(changed)) {
                    return Files.readAllBytes(changed);
                }
                if (original == null) {
                    throw new ClassNotFoundException(file);
                }
                return original.readAllBytes();
            } catch (IOException e) {
                throw new ClassNotFoundException(file, e);
            }
        }
    }
}
