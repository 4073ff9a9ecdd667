/** Number of a system call on x86-64 and on arm64; null = the architecture does not have it. */
type Numbers = readonly [x64: number | null, arm64: number | null];

/** AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64 of linux/audit.h. */
export const ARCHITECTURES = {
  x64: { audit: 0xc000_003e, column: 0 },
  arm64: { audit: 0xc000_00b7, column: 1 },
} as const;

/** The newest system call of the tables below. Later ones are unknown here, so they are refused. */
export const NEWEST_CALL = 470;

/**
 * The system calls that reach files, networks, other processes, or rarely used parts of the kernel. Sources:
 * arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of Linux.
 */
// biome-ignore format: a table
export const DENIED_CALLS: Readonly<Record<string, Numbers>> = {
  // Files.
  open: [2, null], openat: [257, 56], openat2: [437, 437], creat: [85, null], open_by_handle_at: [304, 265],
  truncate: [76, 45], unlink: [87, null], unlinkat: [263, 35], rename: [82, null], renameat: [264, 38],
  renameat2: [316, 276], link: [86, null], linkat: [265, 37], symlink: [88, null], symlinkat: [266, 36],
  mkdir: [83, null], mkdirat: [258, 34], rmdir: [84, null], mknod: [133, null], mknodat: [259, 33],
  chmod: [90, null], fchmod: [91, 52], fchmodat: [268, 53], fchmodat2: [452, 452], chown: [92, null],
  lchown: [94, null], fchown: [93, 55], fchownat: [260, 54], utime: [132, null], utimes: [235, null],
  futimesat: [261, null], utimensat: [280, 88], setxattr: [188, 5], lsetxattr: [189, 6], fsetxattr: [190, 7],
  removexattr: [197, 14], lremovexattr: [198, 15], fremovexattr: [199, 16], setxattrat: [463, 463],
  removexattrat: [466, 466], readlink: [89, null], readlinkat: [267, 78], inotify_init: [253, null],
  inotify_init1: [294, 26], fanotify_init: [300, 262], chroot: [161, 51], mount: [165, 40], umount2: [166, 39],
  pivot_root: [155, 41], open_tree: [428, 428], move_mount: [429, 429], fsopen: [430, 430], fsconfig: [431, 431],
  fsmount: [432, 432], fspick: [433, 433], mount_setattr: [442, 442], open_tree_attr: [467, 467],
  quotactl: [179, 60], quotactl_fd: [443, 443], swapon: [167, 224], swapoff: [168, 225], acct: [163, 89],
  // Networks, and memory or queues shared with other processes. The pipes to the server are open already.
  socket: [41, 198], socketpair: [53, 199], connect: [42, 203], bind: [49, 200], listen: [50, 201],
  shmget: [29, 194], shmat: [30, 196], msgget: [68, 186], semget: [64, 190], mq_open: [240, 180],
  // Processes.
  fork: [57, null], vfork: [58, null], execve: [59, 221], execveat: [322, 281], ptrace: [101, 117],
  process_vm_readv: [310, 270], process_vm_writev: [311, 271], process_madvise: [440, 440],
  process_mrelease: [448, 448], kcmp: [312, 272], pidfd_open: [434, 434], pidfd_getfd: [438, 438],
  pidfd_send_signal: [424, 424], tkill: [200, 130], rt_sigqueueinfo: [129, 138], rt_tgsigqueueinfo: [297, 240],
  sched_setaffinity: [203, 122], sched_setattr: [314, 274], sched_setparam: [142, 118],
  sched_setscheduler: [144, 119], setpriority: [141, 140], ioprio_set: [251, 30], migrate_pages: [256, 238],
  move_pages: [279, 239], unshare: [272, 97], setns: [308, 268],
  // The kernel.
  io_uring_setup: [425, 425], io_uring_enter: [426, 426], io_uring_register: [427, 427], bpf: [321, 280],
  perf_event_open: [298, 241], userfaultfd: [323, 282], add_key: [248, 217], request_key: [249, 218],
  keyctl: [250, 219], init_module: [175, 105], finit_module: [313, 273], delete_module: [176, 106],
  kexec_load: [246, 104], kexec_file_load: [320, 294], reboot: [169, 142], syslog: [103, 116],
  settimeofday: [164, 170], clock_settime: [227, 112], clock_adjtime: [305, 266], adjtimex: [159, 171],
  sethostname: [170, 161], setdomainname: [171, 162], iopl: [172, null], ioperm: [173, null],
};

/** Calls whose first argument must be the process itself: to signal its threads. */
export const OWN_PROCESS_CALLS: readonly Numbers[] = [
  [62, 129], // kill
  [234, 131], // tgkill
];
/** Calls whose first argument must be 0, the process itself: otherwise they would set the limits of another. */
export const SELF_CALLS: readonly Numbers[] = [[302, 261]]; // prlimit64
/** Calls that must create threads only: the first argument has CLONE_THREAD. */
export const THREAD_CALLS: readonly Numbers[] = [[56, 220]]; // clone
/**
 * Calls with arguments in memory, which a filter cannot read. They fail with ENOSYS, so the C library calls `clone`.
 */
export const MISSING_CALLS: readonly Numbers[] = [[435, 435]]; // clone3
export const SECCOMP: Numbers = [317, 277];
