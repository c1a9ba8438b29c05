import { environment, quoted, type UnitOptions } from './systemd-unit.ts';

/** The timer writes backups here: outside the data directory, in Debian's folder for backups. */
export const BACKUP_FOLDER = '/var/backups/outreach';

/**
 * The units of a backup every night: a service, and the timer that starts it. Old backups are removed only after a new one was written.
 * Paths are passed to the shell as arguments, so that it does not interpret them.
 */
export function backupUnits({ node, program, dataDir, user, isPackaged = false }: UnitOptions): Record<string, string> {
  const words = [node, program, BACKUP_FOLDER].map(quoted).join(' ');
  return {
    'outreach-backup.service': `[Unit]
Description=Back up Outreach
After=outreach.service

[Service]
Type=oneshot
User=${user}
${isPackaged ? '# Settings are in /etc/outreach/outreach.toml.' : environment(dataDir)}
ExecStart=/bin/sh -c 'exec "$0" "$1" backup "$2/outreach-$$(date +%%FT%%H%%M).backup"' ${words}
ExecStartPost=find ${BACKUP_FOLDER} -name 'outreach-*.backup*' -mtime +14 -delete
SyslogIdentifier=outreach-backup
Nice=10
UMask=0077
ProtectSystem=strict
ReadWritePaths=${BACKUP_FOLDER} ${quoted(dataDir)}
PrivateTmp=yes
PrivateDevices=yes
NoNewPrivileges=yes
CapabilityBoundingSet=
`,
    'outreach-backup.timer': `[Unit]
Description=Back up Outreach every night

[Timer]
OnCalendar=*-*-* 03:00:00
RandomizedDelaySec=15min
Persistent=true

[Install]
WantedBy=timers.target
`,
  };
}
