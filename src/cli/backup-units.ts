import { environment, quoted, type UnitOptions } from './systemd-unit.ts';

/** Where the timer writes backups: outside of the data directory, and as Debian has it. */
export const BACKUP_FOLDER = '/var/backups/outreach';

/**
 * The units of a backup every night: a service, and the timer that starts it. Old backups are removed only after a new one was written. Words
 * are handed to the shell as arguments, so that it reads no path.
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
