export interface UnitOptions {
  /** Absolute path of the Node that runs the program. */
  node: string;
  /** Absolute path of bin/run.js. */
  program: string;
  dataDir: string;
  /** The user that runs the service; never root. */
  user: string;
  port: number;
  /** True for the unit of a package, whose settings, including the data directory, are in /etc/outreach/outreach.toml. */
  isPackaged?: boolean;
}

/** Listening on a lower port requires a capability (Linux, ip_unprivileged_port_start). */
const FIRST_FREE_PORT = 1024;

/**
 * A hardened systemd unit that permits only what the daemon does. The sandbox options are in the order of
 * `systemd-analyze security`; `man systemd.exec` explains each.
 */
export function systemdUnit({ node, program, dataDir, user, port, isPackaged = false }: UnitOptions): string {
  const isInHome = [node, program, dataDir].some((path) => /^\/(home|root|run\/user)(\/|$)/.test(path));
  const capabilities =
    port > 0 && port < FIRST_FREE_PORT
      ? `# Required to listen on port ${port}.\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE\nAmbientCapabilities=CAP_NET_BIND_SERVICE`
      : '# No capabilities: it listens above port 1023 and never changes its user.\nCapabilityBoundingSet=\nAmbientCapabilities=';
  return `[Unit]
Description=Outreach: multi-step email campaigns
Documentation=${isPackaged ? 'man:outreach(1) ' : ''}file://${escaped(program.replace(/bin\/run\.js$/, 'docs/operating.md'))}
After=network-online.target postgresql.service
Wants=network-online.target

[Service]
# The daemon reports when it is ready; a first start or a migration may take long.
Type=notify
TimeoutStartSec=infinity
User=${user}
${isPackaged ? '# Settings are in /etc/outreach/outreach.toml.' : environment(dataDir)}
# A cache of compiled code. Only root can write to the folder of the program.
CacheDirectory=outreach
Environment=NODE_COMPILE_CACHE=/var/cache/outreach
ExecStart=${quoted(node)} ${quoted(program)} start
# A drain finishes the emails being transmitted: 30 seconds at most.
TimeoutStopSec=40
# systemd stops only the daemon, which stops the embedded PostgreSQL last. If the daemon is killed, PostgreSQL keeps running for the next
# start: a large database that was killed as well would need minutes to recover.
KillMode=process
# Restarts after every exit but that for wrong settings (status 2), which would stay wrong: then the unit fails, for OnFailure= and systemctl.
Restart=always
RestartSec=2
RestartPreventExitStatus=2
SyslogIdentifier=outreach
LimitNOFILE=65536
# The service, its PostgreSQL included, must not use up the memory of the machine.
MemoryMax=75%
# The daemon reports every 20 seconds that it is alive; one that hangs is restarted.
WatchdogSec=120
NotifyAccess=all
# Its files are private: the secret, the database.
UMask=0077

# The file system is read-only except for the data directory; home directories are hidden.
ProtectSystem=strict
ReadWritePaths=${quoted(dataDir)}
ProtectHome=${isInHome ? 'read-only' : 'yes'}
PrivateTmp=yes
PrivateDevices=yes
# No access to kernel parameters, modules and log, control groups, the clock or the host name.
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
# Processes of other users are hidden.
ProtectProc=invisible
${capabilities}
# Set-user-ID programs give it no privileges, and it creates none.
NoNewPrivileges=yes
RestrictSUIDSGID=yes
# No namespaces, real-time scheduling, other execution domains or leftover shared memory.
RestrictNamespaces=yes
RestrictRealtime=yes
LockPersonality=yes
RemoveIPC=yes
# IP, a Unix socket to the database, and netlink for the addresses of this machine.
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
# System calls of ordinary services on the native architecture. No MemoryDenyWriteExecute=: V8 compiles at run time.
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
SystemCallArchitectures=native

[Install]
WantedBy=multi-user.target
`;
}

export const environment = (dataDir: string) => `# Settings such as DATABASE_URL; keep this file readable by root only.
EnvironmentFile=-/etc/outreach.env
Environment=${quoted(`OUTREACH_DATA_DIR=${dataDir}`)}`;

/** % starts a systemd specifier. */
const escaped = (text: string) => text.replaceAll('%', '%%');

/** A value for a unit file, in quotes if it contains a character that would split it. */
export function quoted(text: string): string {
  const safe = escaped(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return /[\s"'\\;]/.test(safe) ? `"${safe}"` : safe;
}
