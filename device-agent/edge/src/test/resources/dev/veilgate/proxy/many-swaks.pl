# Runs swaks once for each line of standard input, four at a time: its arguments and, last, the file for its output, separated by
# tabs. The program and its modules are compiled once; each run is a process of its own.
use strict;
use warnings;
use IO::Handle;
use IO::Select;
use IO::Socket::INET;
use Getopt::Long;
use Sys::Hostname;

my ($swaks) = grep { -x } map { "$_/swaks" } split /:/, $ENV{PATH};
die "swaks is not on the PATH\n" unless $swaks;
open my $file, '<', $swaks or die "$swaks: $!\n";
my $program = do { local $/; <$file> };
close $file;
$program =~ s/^__END__\n.*//ms;
my $run = eval "no strict; no warnings; package main; sub { $program\n}" or die "$swaks: $@";

my $running = 0;
while (my $line = <STDIN>) {
    chomp $line;
    my @arguments = split /\t/, $line;
    my $output = pop @arguments;
    if ($running == 4) {
        wait;
        $running--;
    }
    my $process = fork;
    die "fork: $!\n" unless defined $process;
    if ($process == 0) {
        open STDIN, '<', '/dev/null' or die "/dev/null: $!\n";
        open STDOUT, '>', $output or die "$output: $!\n";
        open STDERR, '>&', \*STDOUT or die "$output: $!\n";
        @ARGV = @arguments;
        $0 = $swaks;
        $run->();
        exit 0;
    }
    $running++;
}
1 while wait != -1;
