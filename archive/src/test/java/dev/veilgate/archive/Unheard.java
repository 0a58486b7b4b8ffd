package dev.veilgate.archive;

/** Hears nothing, and expects that nothing is refused. */
final class Unheard implements DocumentAdder.Listener {
    @Override
    public void refused(String name, String why) {
        throw new AssertionError(name + ": " + why);
    }
}
