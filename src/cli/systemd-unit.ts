export interface UnitOptions {
  /** Absolute path of the Node that runs the program. */
  node: string;
  /** Absolute path of bin/run.js. */
  program: string;
  dataDir: string;
  /** Who runs the service; never root. */
  user: string;
  port: number;
}

/** Below this, listening takes a capability (Linux, ip_unprivileged_port_start). */
const FIRST_FREE_PORT = 1024;

/**
 * A unit for systemd that may do what the daemon does and nothing else; each line of the sandbox says what it takes away,
 * in the order in which `systemd-analyze security` lists them.
 */
export function systemdUnit({ node, program, dataDir, user, port }: UnitOptions): string {
  const isInHome = [node, program, dataDir].some((path) => /^\/(home|root|run\/user)(\/|$)/.test(path));
  const capabilities =
    port > 0 && port < FIRST_FREE_PORT
      ? `# Only to listen on port ${port}.\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE\nAmbientCapabilities=CAP_NET_BIND_SERVICE`
      : '# No capability at all: it listens above port 1023 and changes nobody.\nCapabilityBoundingSet=\nAmbientCapabilities=';
  return `[Unit]
Description=Outreach: multi-step e-mail campaigns
Documentation=file://${escaped(program.replace(/bin\/run\.js$/, 'docs/operating.md'))}
After=network-online.target postgresql.service
Wants=network-online.target

[Service]
Type=exec
User=${user}
# Settings, such as DATABASE_URL; keep it readable by root alone.
EnvironmentFile=-/etc/outreach.env
Environment=${quoted(`OUTREACH_DATA_DIR=${dataDir}`)}
ExecStart=${quoted(node)} ${quoted(program)} start
# A drain lets the mail that is on its way be finished: 90 seconds at most.
TimeoutStopSec=100
# Only the daemon is told to stop; it stops its own PostgreSQL, last.
KillMode=mixed
Restart=on-failure
RestartSec=2
LimitNOFILE=65536
# Files it makes are its own: the secret, the database.
UMask=0077

# The file system is read-only but for the data directory; other people's homes are not there.
ProtectSystem=strict
ReadWritePaths=${quoted(dataDir)}
ProtectHome=${isInHome ? 'read-only' : 'yes'}
PrivateTmp=yes
PrivateDevices=yes
# Nothing of the machine is its to set: kernel parameters, modules, log, control groups, clock, name.
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
# Other users' processes are hidden; it looks at its own.
ProtectProc=invisible
${capabilities}
# A program with the set-user-id bit gives it no more rights, and it makes none.
NoNewPrivileges=yes
RestrictSUIDSGID=yes
# No namespaces, no real-time scheduling, no other execution domain, no shared memory left behind.
RestrictNamespaces=yes
RestrictRealtime=yes
LockPersonality=yes
RemoveIPC=yes
# It speaks IP, to its database over a socket, and asks the kernel for its addresses.
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
# System calls of ordinary services, of this processor's own kind. MemoryDenyWriteExecute= is left out: V8 compiles.
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
SystemCallArchitectures=native

[Install]
WantedBy=multi-user.target
`;
}

/** % begins a specifier of systemd. */
const escaped = (text: string) => text.replaceAll('%', '%%');

/** A value in quotes where it holds what would part it. */
function quoted(text: string): string {
  const safe = escaped(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return /[\s"'\\;]/.test(safe) ? `"${safe}"` : safe;
}
