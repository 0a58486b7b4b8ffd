package dev.veilgate.transport.supervision;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Calls something for each SIGTERM and SIGINT from now on. Java runs shutdown hooks for the first one and says nothing
 * of the next; {@code sun.misc.Signal} of the module {@code jdk.unsupported} does. It is called by reflection, for
 * javac warns of it in a way that no source can turn off.
 */
final class TermSignals {
    private TermSignals() {}

    /** Without effect on a Java that has no such class, or was told to leave signals alone ({@code -Xrs}). */
    static void handle(Runnable work) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler call = (proxy, method, arguments) -> switch (method.getName()) {
                case "handle" -> {
                    work.run();
                    yield null;
                }
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> proxy == arguments[0];
                default -> "handler of SIGTERM and SIGINT";
            };
            Object proxy = Proxy.newProxyInstance(TermSignals.class.getClassLoader(), new Class<?>[] {handler}, call);
            for (String name : new String[] {"TERM", "INT"}) {
                Object one = signal.getConstructor(String.class).newInstance(name);
                signal.getMethod("handle", signal, handler).invoke(null, one, proxy);
            }
        } catch (ReflectiveOperationException | LinkageError e) {
            // The limit of the stop ends the process all the same.
        }
    }
}
