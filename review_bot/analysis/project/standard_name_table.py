"""The public names of modules of the standard library. ``python -m bench.standard_names`` writes them."""

TABLE = {
    "abc": (
        "ABC ABCMeta abstractclassmethod abstractmethod abstractproperty abstractstaticmethod get_cache_token "
        "update_abstractmethods"
    ),
    "argparse": (
        "Action ArgumentDefaultsHelpFormatter ArgumentError ArgumentParser ArgumentTypeError "
        "BooleanOptionalAction FileType HelpFormatter MetavarTypeHelpFormatter Namespace ONE_OR_MORE OPTIONAL "
        "PARSER REMAINDER RawDescriptionHelpFormatter RawTextHelpFormatter SUPPRESS ZERO_OR_MORE ngettext "
        "warnings"
    ),
    "ast": (
        "AST Add And AnnAssign Assert Assign AsyncFor AsyncFunctionDef AsyncWith Attribute AugAssign AugLoad "
        "AugStore Await BinOp BitAnd BitOr BitXor BoolOp Break Bytes Call ClassDef Compare Constant Continue Del "
        "Delete Dict DictComp Div Ellipsis Eq ExceptHandler Expr Expression ExtSlice FloorDiv For FormattedValue "
        "FunctionDef FunctionType GeneratorExp Global Gt GtE If IfExp Import ImportFrom In Index IntEnum "
        "Interactive Interpolation Invert Is IsNot JoinedStr LShift Lambda List ListComp Load Lt LtE MatMult "
        "Match MatchAs MatchClass MatchMapping MatchOr MatchSequence MatchSingleton MatchStar MatchValue Mod "
        "Module Mult Name NameConstant NamedExpr NodeTransformer NodeVisitor Nonlocal Not NotEq NotIn Num Or "
        "Param ParamSpec Pass Pow PyCF_ALLOW_TOP_LEVEL_AWAIT PyCF_ONLY_AST PyCF_OPTIMIZED_AST PyCF_TYPE_COMMENTS "
        "RShift Raise Return Set SetComp Slice Starred Store Str Sub Subscript Suite TemplateStr Try TryStar "
        "Tuple TypeAlias TypeIgnore TypeVar TypeVarTuple UAdd USub UnaryOp While With Yield YieldFrom alias arg "
        "arguments auto boolop cmpop compare comprehension contextmanager copy_location dump excepthandler expr "
        "expr_context fix_missing_locations get_docstring get_source_segment increment_lineno iter_child_nodes "
        "iter_fields keyword literal_eval main match_case mod nullcontext operator parse pattern slice stmt sys "
        "type_ignore type_param unaryop unparse walk withitem"
    ),
    "asyncio": (
        "ALL_COMPLETED AbstractChildWatcher AbstractEventLoop AbstractEventLoopPolicy AbstractServer Barrier "
        "BaseChildWatcher BaseDefaultEventLoopPolicy BaseEventLoop BaseProtocol BaseTransport BoundedSemaphore "
        "BrokenBarrierError BufferedProtocol CONNECT_PIPE_INIT_DELAY CONNECT_PIPE_MAX_DELAY CancelledError "
        "Condition DEVNULL DatagramProtocol DatagramTransport DefaultEventLoopPolicy ERROR_CONNECTION_ABORTED "
        "ERROR_CONNECTION_REFUSED Event EventLoop FIRST_COMPLETED FIRST_EXCEPTION FastChildWatcher "
        "FlowControlMixin FrameCallGraphEntry Future FutureCallGraph Handle INFINITE IncompleteReadError "
        "InvalidStateError IocpProactor LifoQueue LimitOverrunError Lock MultiLoopChildWatcher NULL PIPE "
        "PidfdChildWatcher PipeServer PriorityQueue ProactorEventLoop Process Protocol Queue QueueEmpty QueueFull "
        "QueueShutDown ReadTransport Runner STDOUT SafeChildWatcher SelectorEventLoop Semaphore "
        "SendfileNotAvailableError Server StreamReader StreamReaderProtocol StreamWriter SubprocessProtocol "
        "SubprocessStreamProtocol SubprocessTransport Task TaskGroup ThreadedChildWatcher Timeout TimeoutError "
        "TimerHandle Transport WindowsProactorEventLoopPolicy WindowsSelectorEventLoopPolicy WriteTransport "
        "all_tasks as_completed base_events base_futures base_subprocess base_tasks capture_call_graph constants "
        "coroutine coroutines create_eager_task_factory create_subprocess_exec create_subprocess_shell "
        "create_task current_task eager_task_factory ensure_future events exceptions format_call_graph "
        "format_helpers future_add_to_awaited_by future_discard_from_awaited_by futures gather get_child_watcher "
        "get_event_loop get_event_loop_policy get_running_loop graph iscoroutine iscoroutinefunction isfuture "
        "locks log mixins new_event_loop open_connection open_unix_connection print_call_graph proactor_events "
        "protocols queues run run_coroutine_threadsafe runners selector_events set_child_watcher set_event_loop "
        "set_event_loop_policy shield sleep sslproto staggered start_server start_unix_server streams subprocess "
        "sys taskgroups tasks threads timeout timeout_at timeouts to_thread tools transports trsock unix_events "
        "wait wait_for windows_events windows_utils wrap_future"
    ),
    "atexit": "register unregister",
    "base64": (
        "MAXBINSIZE MAXLINESIZE a85decode a85encode b16decode b16encode b32decode b32encode b32hexdecode "
        "b32hexencode b64decode b64encode b85decode b85encode binascii bytes_types decode decodebytes encode "
        "encodebytes main re standard_b64decode standard_b64encode struct test urlsafe_b64decode "
        "urlsafe_b64encode z85decode z85encode"
    ),
    "bisect": "bisect bisect_left bisect_right insort insort_left insort_right",
    "collections": (
        "Awaitable ByteString Callable ChainMap Collection Container Coroutine Counter Generator Hashable "
        "ItemsView Iterable Iterator KeysView Mapping MappingView MutableMapping MutableSequence MutableSet "
        "OrderedDict Reversible Sequence Set Sized UserDict UserList UserString ValuesView abc defaultdict deque "
        "namedtuple"
    ),
    "collections.abc": (
        "AsyncGenerator AsyncIterable AsyncIterator Awaitable Buffer ByteString Callable Collection Container "
        "Coroutine Generator Hashable ItemsView Iterable Iterator KeysView Mapping MappingView MutableMapping "
        "MutableSequence MutableSet Reversible Sequence Set Sized ValuesView dict_items dict_keys dict_values"
    ),
    "concurrent.futures": (
        "ALL_COMPLETED BrokenExecutor CancelledError Executor FIRST_COMPLETED FIRST_EXCEPTION Future "
        "InterpreterPoolExecutor InvalidStateError ProcessPoolExecutor ThreadPoolExecutor TimeoutError "
        "as_completed interpreter process thread wait"
    ),
    "contextlib": (
        "AbstractAsyncContextManager AbstractContextManager AsyncContextDecorator AsyncExitStack ContextDecorator "
        "ExitStack GenericAlias MethodType abc aclosing asynccontextmanager chdir closing contextmanager deque "
        "nested nullcontext os redirect_stderr redirect_stdout suppress sys wraps"
    ),
    "contextvars": "Context ContextVar Token copy_context",
    "copy": "Error PyStringMap copy deepcopy dispatch_table error replace",
    "copyreg": (
        "add_extension clear_extension_cache constructor dispatch_table pickle pickle_complex pickle_union "
        "remove_extension"
    ),
    "csv": (
        "Dialect DictReader DictWriter Error QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE QUOTE_NONNUMERIC QUOTE_NOTNULL "
        "QUOTE_STRINGS Sniffer StringIO excel excel_tab field_size_limit get_dialect list_dialects re reader "
        "register_dialect unix_dialect unregister_dialect writer"
    ),
    "dataclasses": (
        "Field FrozenInstanceError FunctionType GenericAlias InitVar KW_ONLY MISSING Type abc asdict astuple "
        "builtins copy dataclass field fields functools inspect is_dataclass itertools keyword make_dataclass re "
        "replace sys types"
    ),
    "datetime": "MAXYEAR MINYEAR UTC date datetime datetime_CAPI sys time timedelta timezone tzinfo",
    "decimal": (
        "BasicContext Clamped Context ConversionSyntax Decimal DecimalException DecimalTuple DefaultContext "
        "DivisionByZero DivisionImpossible DivisionUndefined ExtendedContext FloatOperation HAVE_CONTEXTVAR "
        "HAVE_THREADS IEEEContext IEEE_CONTEXT_MAX_BITS Inexact InvalidContext InvalidOperation MAX_EMAX MAX_PREC "
        "MIN_EMIN MIN_ETINY Overflow ROUND_05UP ROUND_CEILING ROUND_DOWN ROUND_FLOOR ROUND_HALF_DOWN "
        "ROUND_HALF_EVEN ROUND_HALF_UP ROUND_UP Rounded SPEC_VERSION Subnormal Underflow getcontext localcontext "
        "setcontext"
    ),
    "difflib": (
        "Differ GenericAlias HtmlDiff IS_CHARACTER_JUNK IS_LINE_JUNK Match SequenceMatcher context_diff "
        "diff_bytes get_close_matches ndiff restore unified_diff"
    ),
    "enum": (
        "CONFORM CONTINUOUS DynamicClassAttribute EJECT Enum EnumCheck EnumDict EnumMeta EnumType Flag "
        "FlagBoundary IntEnum IntFlag KEEP MappingProxyType NAMED_FLAGS ReprEnum STRICT StrEnum UNIQUE auto bin "
        "bltns global_enum global_enum_repr global_flag_repr global_str member nonmember pickle_by_enum_name "
        "pickle_by_global_name property reduce show_flag_values sys unique verify"
    ),
    "fnmatch": "filter filterfalse fnmatch fnmatchcase functools os posixpath re translate",
    "fractions": "Decimal Fraction math numbers operator re sys",
    "functools": (
        "GenericAlias Placeholder RLock WRAPPER_ASSIGNMENTS WRAPPER_UPDATES cache cached_property cmp_to_key "
        "get_cache_token lru_cache namedtuple partial partialmethod recursive_repr reduce singledispatch "
        "singledispatchmethod total_ordering update_wrapper wraps"
    ),
    "gc": (
        "DEBUG_COLLECTABLE DEBUG_LEAK DEBUG_SAVEALL DEBUG_STATS DEBUG_UNCOLLECTABLE callbacks collect disable "
        "enable freeze garbage get_count get_debug get_freeze_count get_objects get_referents get_referrers "
        "get_stats get_threshold is_finalized is_tracked isenabled set_debug set_threshold unfreeze"
    ),
    "getpass": (
        "GetPassWarning contextlib fallback_getpass getpass getuser io os sys termios unix_getpass warnings win_getpass"
    ),
    "glob": (
        "contextlib escape fnmatch glob glob0 glob1 has_magic iglob itertools magic_check magic_check_bytes os re "
        "stat sys translate"
    ),
    "gzip": (
        "BadGzipFile FCOMMENT FEXTRA FHCRC FNAME FTEXT GzipFile READ WRITE builtins compress decompress io main "
        "open os struct sys time write32u zlib"
    ),
    "hashlib": (
        "AbstractSet algorithms_available algorithms_guaranteed blake2b blake2s file_digest md5 new pbkdf2_hmac "
        "scrypt sha1 sha224 sha256 sha384 sha3_224 sha3_256 sha3_384 sha3_512 sha512 shake_128 shake_256"
    ),
    "heapq": (
        "heapify heapify_max heappop heappop_max heappush heappush_max heappushpop heappushpop_max heapreplace "
        "heapreplace_max merge nlargest nsmallest"
    ),
    "hmac": "HMAC compare_digest digest digest_size new trans_36 trans_5C",
    "importlib": (
        "abc find_loader import_module invalidate_caches machinery metadata readers reload resources simple sys "
        "util warnings"
    ),
    "importlib.metadata": (
        "Deprecated DeprecatedList DeprecatedNonAbstract DeprecatedTuple Distribution DistributionFinder "
        "EntryPoint EntryPoints FastPath FileHash FreezableDefaultDict List Lookup Mapping MetaPathFinder "
        "MetadataNotFound MetadataPathFinder Optional PackageMetadata PackageNotFoundError PackagePath Pair "
        "PathDistribution Prepared Sectioned SelectableGroups SimplePath Union abc always_iterable collections "
        "csv diagnose distribution distributions email entry_points files functools import_module itertools "
        "metadata method_cache operator os packages_distributions pass_none pathlib posixpath re requires starmap "
        "suppress sys textwrap unique_everseen version warnings zipfile"
    ),
    "importlib.resources": (
        "Anchor Package Resource ResourceReader abc as_file contents files is_resource open_binary open_text path "
        "read_binary read_text readers simple"
    ),
    "importlib.util": (
        "LazyLoader Loader MAGIC_NUMBER cache_from_source contextmanager decode_source find_spec functools "
        "module_for_loader module_from_spec resolve_name set_loader set_package source_from_cache source_hash "
        "spec_from_file_location spec_from_loader sys types warnings"
    ),
    "inspect": (
        "AGEN_CLOSED AGEN_CREATED AGEN_RUNNING AGEN_SUSPENDED AbstractSet ArgInfo ArgSpec Arguments Attribute "
        "BlockFinder BoundArguments BufferFlags CORO_CLOSED CORO_CREATED CORO_RUNNING CORO_SUSPENDED "
        "CO_ASYNC_GENERATOR CO_COROUTINE CO_GENERATOR CO_HAS_DOCSTRING CO_ITERABLE_COROUTINE CO_METHOD CO_NESTED "
        "CO_NEWLOCALS CO_NOFREE CO_OPTIMIZED CO_VARARGS CO_VARKEYWORDS ClassFoundException ClosureVars EndOfBlock "
        "FrameInfo FullArgSpec GEN_CLOSED GEN_CREATED GEN_RUNNING GEN_SUSPENDED OrderedDict Parameter Signature "
        "TPFLAGS_IS_ABSTRACT Traceback abc ast attrgetter builtins classify_class_attrs cleandoc collections "
        "currentframe dis enum findsource formatannotation formatannotationrelativeto formatargspec "
        "formatargvalues functools get_annotations getabsfile getargs getargspec getargvalues getasyncgenlocals "
        "getasyncgenstate getattr_static getblock getcallargs getclasstree getclosurevars getcomments "
        "getcoroutinelocals getcoroutinestate getdoc getfile getframeinfo getfullargspec getgeneratorlocals "
        "getgeneratorstate getinnerframes getlineno getmembers getmembers_static getmodule getmodulename getmro "
        "getouterframes getsource getsourcefile getsourcelines importlib indentsize isabstract isasyncgen "
        "isasyncgenfunction isawaitable isbuiltin isclass iscode iscoroutine iscoroutinefunction isdatadescriptor "
        "isframe isfunction isgenerator isgeneratorfunction isgetsetdescriptor iskeyword ismemberdescriptor "
        "ismethod ismethoddescriptor ismethodwrapper ismodule ispackage isroutine istraceback itertools linecache "
        "markcoroutinefunction modulesbyfile namedtuple os re signature stack sys token tokenize trace types "
        "unwrap walktree"
    ),
    "io": (
        "BlockingIOError BufferedIOBase BufferedRWPair BufferedRandom BufferedReader BufferedWriter BytesIO "
        "DEFAULT_BUFFER_SIZE FileIO IOBase IncrementalNewlineDecoder RawIOBase Reader SEEK_CUR SEEK_END SEEK_SET "
        "StringIO TextIOBase TextIOWrapper UnsupportedOperation Writer abc open open_code text_encoding"
    ),
    "itertools": (
        "accumulate batched chain combinations combinations_with_replacement compress count cycle dropwhile "
        "filterfalse groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest"
    ),
    "json": (
        "JSONDecodeError JSONDecoder JSONEncoder codecs decoder detect_encoding dump dumps encoder load loads "
        "scanner tool"
    ),
    "linecache": "cache checkcache clearcache functools getline getlines lazycache os sys tokenize updatecache",
    "logging": (
        "BASIC_FORMAT BufferingFormatter CRITICAL DEBUG ERROR FATAL FileHandler Filter Filterer Formatter "
        "GenericAlias Handler INFO LogRecord Logger LoggerAdapter Manager NOTSET NullHandler PercentStyle "
        "PlaceHolder RootLogger StrFormatStyle StreamHandler StringTemplateStyle Template WARN WARNING "
        "addLevelName atexit basicConfig captureWarnings collections config critical currentframe debug disable "
        "error exception fatal getHandlerByName getHandlerNames getLevelName getLevelNamesMapping "
        "getLogRecordFactory getLogger getLoggerClass handlers info io lastResort log logMultiprocessing "
        "logProcesses logThreads makeLogRecord os raiseExceptions re root setLogRecordFactory setLoggerClass "
        "shutdown sys threading time traceback warn warning warnings weakref"
    ),
    "logging.handlers": (
        "BaseRotatingHandler BufferingHandler DEFAULT_HTTP_LOGGING_PORT DEFAULT_SOAP_LOGGING_PORT "
        "DEFAULT_TCP_LOGGING_PORT DEFAULT_UDP_LOGGING_PORT DatagramHandler HTTPHandler MemoryHandler "
        "NTEventLogHandler QueueHandler QueueListener RotatingFileHandler SMTPHandler ST_DEV ST_INO ST_MTIME "
        "SYSLOG_TCP_PORT SYSLOG_UDP_PORT SocketHandler SysLogHandler TimedRotatingFileHandler WatchedFileHandler "
        "copy io logging os pickle queue re socket struct threading time"
    ),
    "math": (
        "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf erfc exp exp2 "
        "expm1 fabs factorial floor fma fmax fmin fmod frexp fsum gamma gcd hypot inf integer isclose isfinite "
        "isinf isnan isnormal isqrt issubnormal lcm ldexp lgamma log log10 log1p log2 modf nan nextafter perm pi "
        "pow prod radians remainder signbit sin sinh sqrt sumprod tan tanh tau trunc ulp"
    ),
    "mimetypes": (
        "MimeTypes add_type common_types encodings_map guess_all_extensions guess_extension guess_file_type "
        "guess_type init inited knownfiles os posixpath read_mime_types suffix_map sys types_map urllib"
    ),
    "multiprocessing": (
        "Array AuthenticationError Barrier BoundedSemaphore BufferTooShort Condition Event JoinableQueue Lock "
        "Manager Pipe Pool Process ProcessError Queue RLock RawArray RawValue SUBDEBUG SUBWARNING Semaphore "
        "SimpleQueue TimeoutError Value active_children allow_connection_pickling connection context cpu_count "
        "current_process dummy forkserver freeze_support get_all_start_methods get_context get_logger "
        "get_start_method heap log_to_stderr managers parent_process pool popen_fork popen_forkserver "
        "popen_spawn_posix popen_spawn_win32 process queues reducer reduction resource_sharer resource_tracker "
        "set_executable set_forkserver_preload set_start_method shared_memory sharedctypes spawn synchronize sys "
        "util"
    ),
    "numbers": "ABCMeta Complex Integral Number Rational Real abstractmethod",
    "operator": (
        "abs add and_ attrgetter call concat contains countOf delitem eq floordiv ge getitem gt iadd iand iconcat "
        "ifloordiv ilshift imatmul imod imul index indexOf inv invert ior ipow irshift is_ is_none is_not "
        "is_not_none isub itemgetter itruediv ixor le length_hint lshift lt matmul methodcaller mod mul ne neg "
        "not_ or_ pos pow rshift setitem sub truediv truth xor"
    ),
    "os": (
        "AT_NO_AUTOMOUNT AT_STATX_DONT_SYNC AT_STATX_FORCE_SYNC AT_STATX_SYNC_AS_STAT CLD_CONTINUED CLD_DUMPED "
        "CLD_EXITED CLD_KILLED CLD_STOPPED CLD_TRAPPED CLONE_FILES CLONE_FS CLONE_NEWCGROUP CLONE_NEWIPC "
        "CLONE_NEWNET CLONE_NEWNS CLONE_NEWPID CLONE_NEWTIME CLONE_NEWUSER CLONE_NEWUTS CLONE_SIGHAND "
        "CLONE_SYSVSEM CLONE_THREAD CLONE_VM DirEntry EFD_CLOEXEC EFD_NONBLOCK EFD_SEMAPHORE EX_CANTCREAT "
        "EX_CONFIG EX_DATAERR EX_IOERR EX_NOHOST EX_NOINPUT EX_NOPERM EX_NOTFOUND EX_NOUSER EX_OK EX_OSERR "
        "EX_OSFILE EX_PROTOCOL EX_SOFTWARE EX_TEMPFAIL EX_UNAVAILABLE EX_USAGE F_LOCK F_OK F_TEST F_TLOCK F_ULOCK "
        "GRND_NONBLOCK GRND_RANDOM GenericAlias MFD_ALLOW_SEALING MFD_CLOEXEC MFD_HUGETLB MFD_HUGE_16GB "
        "MFD_HUGE_16MB MFD_HUGE_1GB MFD_HUGE_1MB MFD_HUGE_256MB MFD_HUGE_2GB MFD_HUGE_2MB MFD_HUGE_32MB "
        "MFD_HUGE_512KB MFD_HUGE_512MB MFD_HUGE_64KB MFD_HUGE_8MB MFD_HUGE_MASK MFD_HUGE_SHIFT Mapping "
        "MutableMapping NGROUPS_MAX NODEV O_ACCMODE O_APPEND O_ASYNC O_BINARY O_CLOEXEC O_CREAT O_DIRECT "
        "O_DIRECTORY O_DSYNC O_EVTONLY O_EXCL O_EXEC O_EXLOCK O_FSYNC O_LARGEFILE O_NDELAY O_NOATIME O_NOCTTY "
        "O_NOFOLLOW O_NOFOLLOW_ANY O_NOINHERIT O_NONBLOCK O_PATH O_RANDOM O_RDONLY O_RDWR O_RSYNC O_SEARCH "
        "O_SEQUENTIAL O_SHLOCK O_SHORT_LIVED O_SYMLINK O_SYNC O_TEMPORARY O_TEXT O_TMPFILE O_TRUNC O_WRONLY "
        "PIDFD_NONBLOCK POSIX_FADV_DONTNEED POSIX_FADV_NOREUSE POSIX_FADV_NORMAL POSIX_FADV_RANDOM "
        "POSIX_FADV_SEQUENTIAL POSIX_FADV_WILLNEED POSIX_SPAWN_CLOSE POSIX_SPAWN_CLOSEFROM POSIX_SPAWN_DUP2 "
        "POSIX_SPAWN_OPEN PRIO_DARWIN_BG PRIO_DARWIN_NONUI PRIO_DARWIN_PROCESS PRIO_DARWIN_THREAD PRIO_PGRP "
        "PRIO_PROCESS PRIO_USER P_ALL P_DETACH P_NOWAIT P_NOWAITO P_OVERLAY P_PGID P_PID P_PIDFD P_WAIT PathLike "
        "RTLD_DEEPBIND RTLD_GLOBAL RTLD_LAZY RTLD_LOCAL RTLD_NODELETE RTLD_NOLOAD RTLD_NOW RWF_APPEND RWF_DSYNC "
        "RWF_HIPRI RWF_NOWAIT RWF_SYNC R_OK SCHED_BATCH SCHED_DEADLINE SCHED_FIFO SCHED_IDLE SCHED_NORMAL "
        "SCHED_OTHER SCHED_RESET_ON_FORK SCHED_RR SCHED_SPORADIC SEEK_CUR SEEK_DATA SEEK_END SEEK_HOLE SEEK_SET "
        "SF_MNOWAIT SF_NOCACHE SF_NODISKIO SF_SYNC SPLICE_F_MORE SPLICE_F_MOVE SPLICE_F_NONBLOCK STATX_ATIME "
        "STATX_BASIC_STATS STATX_BLOCKS STATX_BTIME STATX_CTIME STATX_DIOALIGN STATX_GID STATX_INO STATX_MNT_ID "
        "STATX_MNT_ID_UNIQUE STATX_MODE STATX_MTIME STATX_NLINK STATX_SIZE STATX_TYPE STATX_UID ST_APPEND "
        "ST_MANDLOCK ST_NOATIME ST_NODEV ST_NODIRATIME ST_NOEXEC ST_NOSUID ST_RDONLY ST_RELATIME ST_SYNCHRONOUS "
        "ST_WRITE TFD_CLOEXEC TFD_NONBLOCK TFD_TIMER_ABSTIME TFD_TIMER_CANCEL_ON_SET TMP_MAX WCONTINUED WCOREDUMP "
        "WEXITED WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WNOHANG WNOWAIT WSTOPPED WSTOPSIG "
        "WTERMSIG WUNTRACED W_OK XATTR_CREATE XATTR_REPLACE XATTR_SIZE_MAX X_OK abc abort access "
        "add_dll_directory altsep chdir chflags chmod chown chroot close closerange confstr confstr_names "
        "copy_file_range cpu_count ctermid curdir defpath device_encoding devnull dup dup2 environ environb error "
        "eventfd eventfd_read eventfd_write execl execle execlp execlpe execv execve execvp execvpe extsep fchdir "
        "fchmod fchown fdatasync fdopen fork forkpty fpathconf fsdecode fsencode fspath fstat fstatvfs fsync "
        "ftruncate fwalk get_blocking get_exec_path get_handle_inheritable get_inheritable get_terminal_size "
        "getcwd getcwdb getegid getenv getenvb geteuid getgid getgrouplist getgroups getloadavg getlogin getpgid "
        "getpgrp getpid getppid getpriority getrandom getresgid getresuid getsid getuid getxattr grantpt "
        "initgroups isatty kill killpg lchflags lchmod lchown linesep link listdir listdrives listmounts "
        "listvolumes listxattr lockf login_tty lseek lstat major makedev makedirs memfd_create minor mkdir mkfifo "
        "mknod name nice open openpty pardir path pathconf pathconf_names pathsep pidfd_open pipe pipe2 plock "
        "popen posix_fadvise posix_fallocate posix_openpt posix_spawn posix_spawnp pread preadv process_cpu_count "
        "ptsname putenv pwrite pwritev read readinto readlink readv register_at_fork reload_environ remove "
        "removedirs removexattr rename renames replace rmdir scandir sched_get_priority_max "
        "sched_get_priority_min sched_getaffinity sched_getparam sched_getscheduler sched_param "
        "sched_rr_get_interval sched_setaffinity sched_setparam sched_setscheduler sched_yield sendfile sep "
        "set_blocking set_handle_inheritable set_inheritable setegid seteuid setgid setgroups setns setpgid "
        "setpgrp setpriority setregid setresgid setresuid setreuid setsid setuid setxattr spawnl spawnle spawnlp "
        "spawnlpe spawnv spawnve spawnvp spawnvpe splice st startfile stat stat_result statvfs statvfs_result "
        "statx statx_result strerror supports_bytes_environ supports_dir_fd supports_effective_ids supports_fd "
        "supports_follow_symlinks symlink sync sys sysconf sysconf_names system tcgetpgrp tcsetpgrp terminal_size "
        "timerfd_create timerfd_gettime timerfd_gettime_ns timerfd_settime timerfd_settime_ns times times_result "
        "truncate ttyname umask uname uname_result unlink unlockpt unsetenv unshare urandom utime wait wait3 "
        "wait4 waitid waitid_result waitpid waitstatus_to_exitcode walk write writev"
    ),
    "os.path": (
        "ALLOW_MISSING ALL_BUT_LAST abspath altsep basename commonpath commonprefix curdir defpath devnull "
        "dirname exists expanduser expandvars extsep genericpath getatime getctime getmtime getsize isabs "
        "isdevdrive isdir isfile isjunction islink ismount isreserved join lexists normcase normpath os pardir "
        "pathsep realpath relpath samefile sameopenfile samestat sep split splitdrive splitext splitroot stat "
        "supports_unicode_filenames sys"
    ),
    "pathlib": (
        "EBADF ELOOP ENOENT ENOTDIR Path PosixPath PurePath PurePosixPath PureWindowsPath S_ISBLK S_ISCHR S_ISDIR "
        "S_ISFIFO S_ISLNK S_ISREG S_ISSOCK Sequence UnsupportedOperation WindowsPath attrgetter fnmatch functools "
        "io ntpath os posixpath re sys types urlquote_from_bytes warnings"
    ),
    "pickle": (
        "ADDITEMS APPEND APPENDS BINBYTES BINBYTES8 BINFLOAT BINGET BININT BININT1 BININT2 BINPERSID BINPUT "
        "BINSTRING BINUNICODE BINUNICODE8 BUILD BYTEARRAY8 DEFAULT_PROTOCOL DICT DUP EMPTY_DICT EMPTY_LIST "
        "EMPTY_SET EMPTY_TUPLE EXT1 EXT2 EXT4 FALSE FLOAT FRAME FROZENSET FunctionType GET GLOBAL "
        "HIGHEST_PROTOCOL INST INT LIST LONG LONG1 LONG4 LONG_BINGET LONG_BINPUT MARK MEMOIZE NEWFALSE NEWOBJ "
        "NEWOBJ_EX NEWTRUE NEXT_BUFFER NONE OBJ PERSID POP POP_MARK PROTO PUT PickleBuffer PickleError Pickler "
        "PicklingError PyStringMap READONLY_BUFFER REDUCE SETITEM SETITEMS SHORT_BINBYTES SHORT_BINSTRING "
        "SHORT_BINUNICODE STACK_GLOBAL STOP STRING TRUE TUPLE TUPLE1 TUPLE2 TUPLE3 UNICODE Unpickler "
        "UnpicklingError bytes_types codecs compatible_formats decode_long dispatch_table dump dumps encode_long "
        "format_version io islice load loads maxsize pack partial re sys unpack whichmodule"
    ),
    "pkgutil": (
        "ImpImporter ImpLoader ModuleInfo ModuleType extend_path find_loader get_data get_importer get_loader "
        "importlib iter_importer_modules iter_importers iter_modules iter_zipimport_modules namedtuple os "
        "read_code resolve_name simplegeneric sys walk_packages warnings zipimport zipimporter"
    ),
    "platform": (
        "AndroidVer IOSVersionInfo android_ver architecture collections freedesktop_os_release functools "
        "invalidate_caches ios_ver itertools java_ver libc_ver mac_ver machine node os platform processor "
        "python_branch python_build python_compiler python_implementation python_revision python_version "
        "python_version_tuple re release sys system system_alias uname uname_result version win32_edition "
        "win32_is_iot win32_ver"
    ),
    "pprint": "PrettyPrinter isreadable isrecursive pformat pp pprint re saferepr",
    "queue": (
        "Empty Full LifoQueue PriorityQueue Queue ShutDown SimpleQueue deque heappop heappush threading time types"
    ),
    "random": (
        "AbstractSet BPF LOG4 NV_MAGICCONST RECIP_BPF Random SG_MAGICCONST SystemRandom TWOPI betavariate "
        "binomialvariate choice choices expovariate gammavariate gauss getrandbits getstate lognormvariate "
        "normalvariate paretovariate randbytes randint random randrange sample seed setstate shuffle triangular "
        "uniform vonmisesvariate weibullvariate"
    ),
    "re": (
        "A ASCII DEBUG DOTALL I IGNORECASE L LOCALE M MULTILINE Match NOFLAG Pattern PatternError RegexFlag S "
        "Scanner T TEMPLATE U UNICODE VERBOSE X compile copyreg enum error escape findall finditer fullmatch "
        "functools match prefixmatch purge search split sub subn template"
    ),
    "secrets": (
        "DEFAULT_ENTROPY SystemRandom base64 binascii choice compare_digest randbelow randbits token_bytes "
        "token_hex token_urlsafe"
    ),
    "shlex": "StringIO deque join os quote re shlex split sys",
    "shutil": (
        "COPY_BUFSIZE Error ExecError ReadError RegistryError SameFileError SpecialFileError chown collections "
        "copy copy2 copyfile copyfileobj copymode copystat copytree disk_usage errno fnmatch get_archive_formats "
        "get_terminal_size get_unpack_formats ignore_patterns make_archive move nt os posix "
        "register_archive_format register_unpack_format rmtree stat sys unpack_archive unregister_archive_format "
        "unregister_unpack_format which"
    ),
    "sqlite3": (
        "Binary Blob Connection Cursor DataError DatabaseError Date DateFromTicks Error IntegrityError "
        "InterfaceError InternalError LEGACY_TRANSACTION_CONTROL NotSupportedError OperationalError "
        "PARSE_COLNAMES PARSE_DECLTYPES PrepareProtocol ProgrammingError Row SQLITE_ABORT SQLITE_ABORT_ROLLBACK "
        "SQLITE_ALTER_TABLE SQLITE_ANALYZE SQLITE_ATTACH SQLITE_AUTH SQLITE_AUTH_USER SQLITE_BUSY "
        "SQLITE_BUSY_RECOVERY SQLITE_BUSY_SNAPSHOT SQLITE_BUSY_TIMEOUT SQLITE_CANTOPEN SQLITE_CANTOPEN_CONVPATH "
        "SQLITE_CANTOPEN_DIRTYWAL SQLITE_CANTOPEN_FULLPATH SQLITE_CANTOPEN_ISDIR SQLITE_CANTOPEN_NOTEMPDIR "
        "SQLITE_CANTOPEN_SYMLINK SQLITE_CONSTRAINT SQLITE_CONSTRAINT_CHECK SQLITE_CONSTRAINT_COMMITHOOK "
        "SQLITE_CONSTRAINT_FOREIGNKEY SQLITE_CONSTRAINT_FUNCTION SQLITE_CONSTRAINT_NOTNULL "
        "SQLITE_CONSTRAINT_PINNED SQLITE_CONSTRAINT_PRIMARYKEY SQLITE_CONSTRAINT_ROWID SQLITE_CONSTRAINT_TRIGGER "
        "SQLITE_CONSTRAINT_UNIQUE SQLITE_CONSTRAINT_VTAB SQLITE_CORRUPT SQLITE_CORRUPT_INDEX "
        "SQLITE_CORRUPT_SEQUENCE SQLITE_CORRUPT_VTAB SQLITE_CREATE_INDEX SQLITE_CREATE_TABLE "
        "SQLITE_CREATE_TEMP_INDEX SQLITE_CREATE_TEMP_TABLE SQLITE_CREATE_TEMP_TRIGGER SQLITE_CREATE_TEMP_VIEW "
        "SQLITE_CREATE_TRIGGER SQLITE_CREATE_VIEW SQLITE_CREATE_VTABLE SQLITE_DBCONFIG_DEFENSIVE "
        "SQLITE_DBCONFIG_DQS_DDL SQLITE_DBCONFIG_DQS_DML SQLITE_DBCONFIG_ENABLE_FKEY "
        "SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION SQLITE_DBCONFIG_ENABLE_QPSG "
        "SQLITE_DBCONFIG_ENABLE_TRIGGER SQLITE_DBCONFIG_ENABLE_VIEW SQLITE_DBCONFIG_LEGACY_ALTER_TABLE "
        "SQLITE_DBCONFIG_LEGACY_FILE_FORMAT SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE SQLITE_DBCONFIG_RESET_DATABASE "
        "SQLITE_DBCONFIG_TRIGGER_EQP SQLITE_DBCONFIG_TRUSTED_SCHEMA SQLITE_DBCONFIG_WRITABLE_SCHEMA SQLITE_DELETE "
        "SQLITE_DENY SQLITE_DETACH SQLITE_DONE SQLITE_DROP_INDEX SQLITE_DROP_TABLE SQLITE_DROP_TEMP_INDEX "
        "SQLITE_DROP_TEMP_TABLE SQLITE_DROP_TEMP_TRIGGER SQLITE_DROP_TEMP_VIEW SQLITE_DROP_TRIGGER "
        "SQLITE_DROP_VIEW SQLITE_DROP_VTABLE SQLITE_EMPTY SQLITE_ERROR SQLITE_ERROR_MISSING_COLLSEQ "
        "SQLITE_ERROR_RETRY SQLITE_ERROR_SNAPSHOT SQLITE_FORMAT SQLITE_FULL SQLITE_FUNCTION SQLITE_IGNORE "
        "SQLITE_INSERT SQLITE_INTERNAL SQLITE_INTERRUPT SQLITE_IOERR SQLITE_IOERR_ACCESS SQLITE_IOERR_AUTH "
        "SQLITE_IOERR_BEGIN_ATOMIC SQLITE_IOERR_BLOCKED SQLITE_IOERR_CHECKRESERVEDLOCK SQLITE_IOERR_CLOSE "
        "SQLITE_IOERR_COMMIT_ATOMIC SQLITE_IOERR_CONVPATH SQLITE_IOERR_CORRUPTFS SQLITE_IOERR_DATA "
        "SQLITE_IOERR_DELETE SQLITE_IOERR_DELETE_NOENT SQLITE_IOERR_DIR_CLOSE SQLITE_IOERR_DIR_FSYNC "
        "SQLITE_IOERR_FSTAT SQLITE_IOERR_FSYNC SQLITE_IOERR_GETTEMPPATH SQLITE_IOERR_LOCK SQLITE_IOERR_MMAP "
        "SQLITE_IOERR_NOMEM SQLITE_IOERR_RDLOCK SQLITE_IOERR_READ SQLITE_IOERR_ROLLBACK_ATOMIC SQLITE_IOERR_SEEK "
        "SQLITE_IOERR_SHMLOCK SQLITE_IOERR_SHMMAP SQLITE_IOERR_SHMOPEN SQLITE_IOERR_SHMSIZE "
        "SQLITE_IOERR_SHORT_READ SQLITE_IOERR_TRUNCATE SQLITE_IOERR_UNLOCK SQLITE_IOERR_VNODE SQLITE_IOERR_WRITE "
        "SQLITE_KEYWORDS SQLITE_LIMIT_ATTACHED SQLITE_LIMIT_COLUMN SQLITE_LIMIT_COMPOUND_SELECT "
        "SQLITE_LIMIT_EXPR_DEPTH SQLITE_LIMIT_FUNCTION_ARG SQLITE_LIMIT_LENGTH SQLITE_LIMIT_LIKE_PATTERN_LENGTH "
        "SQLITE_LIMIT_SQL_LENGTH SQLITE_LIMIT_TRIGGER_DEPTH SQLITE_LIMIT_VARIABLE_NUMBER SQLITE_LIMIT_VDBE_OP "
        "SQLITE_LIMIT_WORKER_THREADS SQLITE_LOCKED SQLITE_LOCKED_SHAREDCACHE SQLITE_LOCKED_VTAB SQLITE_MISMATCH "
        "SQLITE_MISUSE SQLITE_NOLFS SQLITE_NOMEM SQLITE_NOTADB SQLITE_NOTFOUND SQLITE_NOTICE "
        "SQLITE_NOTICE_RECOVER_ROLLBACK SQLITE_NOTICE_RECOVER_WAL SQLITE_OK SQLITE_OK_LOAD_PERMANENTLY "
        "SQLITE_OK_SYMLINK SQLITE_PERM SQLITE_PRAGMA SQLITE_PROTOCOL SQLITE_RANGE SQLITE_READ SQLITE_READONLY "
        "SQLITE_READONLY_CANTINIT SQLITE_READONLY_CANTLOCK SQLITE_READONLY_DBMOVED SQLITE_READONLY_DIRECTORY "
        "SQLITE_READONLY_RECOVERY SQLITE_READONLY_ROLLBACK SQLITE_RECURSIVE SQLITE_REINDEX SQLITE_ROW "
        "SQLITE_SAVEPOINT SQLITE_SCHEMA SQLITE_SELECT SQLITE_TOOBIG SQLITE_TRANSACTION SQLITE_UPDATE "
        "SQLITE_WARNING SQLITE_WARNING_AUTOINDEX Time TimeFromTicks Timestamp TimestampFromTicks Warning adapt "
        "adapters apilevel collections complete_statement connect converters datetime dbapi2 dump "
        "enable_callback_tracebacks enable_shared_cache paramstyle register_adapter register_converter "
        "sqlite_version sqlite_version_info threadsafety time version version_info"
    ),
    "statistics": (
        "Counter Decimal Fraction LinearRegression NormalDist StatisticsError bisect_left bisect_right "
        "correlation covariance defaultdict erf exp fabs fmean fsum geometric_mean groupby harmonic_mean hypot "
        "kde kde_random linear_regression log math mean median median_grouped median_high median_low mode mul "
        "multimode namedtuple numbers pstdev pvariance quantiles random reduce repeat sqrt stdev sys tau variance"
    ),
    "string": (
        "Formatter Template ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits "
        "printable punctuation templatelib whitespace"
    ),
    "struct": "Struct calcsize error iter_unpack pack pack_into unpack unpack_from",
    "subprocess": (
        "ABOVE_NORMAL_PRIORITY_CLASS BELOW_NORMAL_PRIORITY_CLASS CREATE_BREAKAWAY_FROM_JOB "
        "CREATE_DEFAULT_ERROR_MODE CREATE_NEW_CONSOLE CREATE_NEW_PROCESS_GROUP CREATE_NO_WINDOW "
        "CalledProcessError CompletedProcess DETACHED_PROCESS DEVNULL HIGH_PRIORITY_CLASS IDLE_PRIORITY_CLASS "
        "NORMAL_PRIORITY_CLASS PIPE Popen REALTIME_PRIORITY_CLASS STARTF_FORCEOFFFEEDBACK STARTF_FORCEONFEEDBACK "
        "STARTF_USESHOWWINDOW STARTF_USESTDHANDLES STARTUPINFO STDOUT STD_ERROR_HANDLE STD_INPUT_HANDLE "
        "STD_OUTPUT_HANDLE SW_HIDE SubprocessError TimeoutExpired builtins call check_call check_output "
        "contextlib errno fcntl getoutput getstatusoutput io list2cmdline locale os run select selectors signal "
        "sys threading time types warnings"
    ),
    "tarfile": (
        "AREGTYPE AbsoluteLinkError AbsolutePathError BLKTYPE BLOCKSIZE CHRTYPE CONTTYPE CompressionError "
        "DEFAULT_FORMAT DIRTYPE ENCODING EOFHeaderError EmptyHeaderError ExFileObject ExtractError FIFOTYPE "
        "FilterError GNUTYPE_LONGLINK GNUTYPE_LONGNAME GNUTYPE_SPARSE GNU_FORMAT GNU_MAGIC GNU_TYPES HeaderError "
        "InvalidHeaderError LENGTH_LINK LENGTH_NAME LENGTH_PREFIX LNKTYPE LinkFallbackError "
        "LinkOutsideDestinationError NUL OutsideDestinationError PAX_FIELDS PAX_FORMAT PAX_NAME_FIELDS "
        "PAX_NUMBER_FIELDS POSIX_MAGIC RECORDSIZE REGTYPE REGULAR_TYPES ReadError SOLARIS_XHDTYPE SUPPORTED_TYPES "
        "SYMTYPE SpecialFileError StreamError SubsequentHeaderError TarError TarFile TarInfo TruncatedHeaderError "
        "USTAR_FORMAT XGLTYPE XHDTYPE bltn_open calc_chksums copy copyfileobj data_filter fully_trusted_filter "
        "grp io is_tarfile itn main nti nts open os pwd re shutil stat stn struct symlink_exception sys "
        "tar_filter time version warnings"
    ),
    "tempfile": (
        "NamedTemporaryFile SpooledTemporaryFile TMP_MAX TemporaryDirectory TemporaryFile gettempdir gettempdirb "
        "gettempprefix gettempprefixb mkdtemp mkstemp mktemp tempdir template"
    ),
    "textwrap": "TextWrapper dedent fill indent re shorten wrap",
    "threading": (
        "Barrier BoundedSemaphore BrokenBarrierError Condition Event ExceptHookArgs Lock RLock Semaphore "
        "TIMEOUT_MAX Thread ThreadError Timer WeakSet activeCount active_count concurrent_tee currentThread "
        "current_thread enumerate excepthook functools get_ident get_native_id getprofile gettrace local "
        "main_thread serialize_iterator setprofile setprofile_all_threads settrace settrace_all_threads "
        "stack_size synchronized_iterator"
    ),
    "time": (
        "CLOCK_BOOTTIME CLOCK_HIGHRES CLOCK_MONOTONIC CLOCK_MONOTONIC_RAW CLOCK_MONOTONIC_RAW_APPROX "
        "CLOCK_PROCESS_CPUTIME_ID CLOCK_PROF CLOCK_REALTIME CLOCK_TAI CLOCK_THREAD_CPUTIME_ID CLOCK_UPTIME "
        "CLOCK_UPTIME_RAW CLOCK_UPTIME_RAW_APPROX altzone asctime clock_getres clock_gettime clock_gettime_ns "
        "clock_settime clock_settime_ns ctime daylight get_clock_info gmtime localtime mktime monotonic "
        "monotonic_ns perf_counter perf_counter_ns process_time process_time_ns pthread_getcpuclockid sleep "
        "strftime strptime struct_time thread_time thread_time_ns time time_ns timezone tzname tzset"
    ),
    "timeit": (
        "Timer default_number default_repeat default_timer dummy_src_name gc itertools main reindent repeat sys "
        "template time timeit"
    ),
    "traceback": (
        "FrameSummary StackSummary TracebackException clear_frames collections extract_stack extract_tb "
        "format_exc format_exception format_exception_only format_list format_stack format_tb itertools linecache "
        "print_exc print_exception print_last print_list print_stack print_tb suppress sys textwrap walk_stack "
        "walk_tb"
    ),
    "types": (
        "AsyncGeneratorType BuiltinFunctionType BuiltinMethodType CapsuleType CellType ClassMethodDescriptorType "
        "CodeType CoroutineType DynamicClassAttribute EllipsisType FrameLocalsProxyType FrameType FunctionType "
        "GeneratorType GenericAlias GetSetDescriptorType LambdaType LazyImportType MappingProxyType "
        "MemberDescriptorType MethodDescriptorType MethodType MethodWrapperType ModuleType NoneType "
        "NotImplementedType SimpleNamespace TracebackType UnionType WrapperDescriptorType coroutine "
        "get_original_bases new_class prepare_class resolve_bases"
    ),
    "typing": (
        "ABCMeta AbstractSet Annotated Any AnyStr AsyncContextManager AsyncGenerator AsyncIterable AsyncIterator "
        "Awaitable AwaitableGenerator BinaryIO ByteString CT_co Callable ChainMap ClassVar Collection Concatenate "
        "Container ContextManager Coroutine Counter DefaultDict Deque Dict EXCLUDED_ATTRIBUTES Final ForwardRef "
        "FrozenSet Generator Generic GenericAlias Hashable IO ItemsView Iterable Iterator KT KeysView List "
        "Literal LiteralString Mapping MappingView Match MethodDescriptorType MethodWrapperType MutableMapping "
        "MutableSequence MutableSet NamedTuple NamedTupleMeta Never NewType NoDefault NoExtraItems NoReturn "
        "NotRequired Optional OrderedDict ParamSpec ParamSpecArgs ParamSpecKwargs Pattern Protocol ReadOnly "
        "Required Reversible Self Sequence Set Sized SupportsAbs SupportsBytes SupportsComplex SupportsFloat "
        "SupportsIndex SupportsInt SupportsRound T TYPE_CHECKING T_co T_contra Text TextIO Tuple Type TypeAlias "
        "TypeAliasType TypeForm TypeGuard TypeIs TypeVar TypeVarTuple TypedDict Union Unpack VT VT_co V_co "
        "ValuesView WrapperDescriptorType abstractmethod assert_never assert_type cast clear_overloads "
        "collections contextlib dataclass_transform defaultdict disjoint_base evaluate_forward_ref final "
        "functools get_args get_origin get_overloads get_protocol_members get_type_hints io is_protocol "
        "is_typeddict no_type_check no_type_check_decorator operator overload override re reveal_type "
        "runtime_checkable stdlib_re sys type_check_only types warnings"
    ),
    "unittest": (
        "BaseTestSuite FunctionTestCase IsolatedAsyncioTestCase SkipTest TestCase TestLoader TestProgram "
        "TestResult TestSuite TextTestResult TextTestRunner addModuleCleanup async_case case defaultTestLoader "
        "doModuleCleanups enterModuleContext expectedFailure findTestCases getTestCaseNames installHandler "
        "load_tests loader main makeSuite mock registerResult removeHandler removeResult result runner signals "
        "skip skipIf skipUnless suite util"
    ),
    "unittest.mock": (
        "ANY AsyncMagicMixin AsyncMock AsyncMockMixin Base CallableMixin CodeType DEFAULT FILTER_DIR "
        "FunctionTypes InvalidSpecError MagicMixin MagicMock MagicProxy MethodType Mock ModuleType "
        "NonCallableMagicMock NonCallableMock PropertyMock RLock ThreadingMixin ThreadingMock asyncio builtins "
        "call contextlib create_autospec file_spec inplace inspect io iscoroutinefunction magic_methods mock_open "
        "numerics open_spec partial patch pkgutil pprint right safe_repr seal sentinel sys wraps"
    ),
    "urllib.error": "ContentTooShortError HTTPError URLError io urllib",
    "urllib.parse": (
        "DefragResult DefragResultBytes MAX_CACHE_SIZE ParseResult ParseResultBytes ResultBase SplitResult "
        "SplitResultBytes clear_cache functools ipaddress namedtuple non_hierarchical parse_qs parse_qsl quote "
        "quote_from_bytes quote_plus re scheme_chars splitattr splithost splitnport splitpasswd splitport "
        "splitquery splittag splittype splituser splitvalue sys to_bytes types unquote unquote_plus "
        "unquote_to_bytes unwrap urldefrag urlencode urljoin urlparse urlsplit urlunparse urlunsplit "
        "uses_fragment uses_netloc uses_params uses_query uses_relative warnings"
    ),
    "urllib.request": (
        "AbstractBasicAuthHandler AbstractDigestAuthHandler AbstractHTTPHandler BaseHandler CacheFTPHandler "
        "ContentTooShortError DataHandler FTPHandler FancyURLopener FileHandler HTTPBasicAuthHandler "
        "HTTPCookieProcessor HTTPDefaultErrorHandler HTTPDigestAuthHandler HTTPError HTTPErrorProcessor "
        "HTTPHandler HTTPPasswordMgr HTTPPasswordMgrWithDefaultRealm HTTPPasswordMgrWithPriorAuth "
        "HTTPRedirectHandler HTTPSHandler MAXFTPCACHE OpenerDirector ProxyBasicAuthHandler ProxyDigestAuthHandler "
        "ProxyHandler Request URLError URLopener UnknownHandler addclosehook addinfourl base64 bisect "
        "build_opener contextlib email ftpcache ftperrors ftpwrapper getproxies getproxies_environment hashlib "
        "http install_opener io localhost noheaders os parse_http_list parse_keqv_list pathname2url posixpath "
        "proxy_bypass proxy_bypass_environment quote re request_host socket ssl string sys tempfile thishost time "
        "unquote unquote_to_bytes unwrap url2pathname urlcleanup urljoin urlopen urlparse urlretrieve urlsplit "
        "urlunparse warnings"
    ),
    "uuid": (
        "Enum MAX NAMESPACE_DNS NAMESPACE_OID NAMESPACE_URL NAMESPACE_X500 NIL RESERVED_FUTURE RESERVED_MICROSOFT "
        "RESERVED_NCS RFC_4122 SafeUUID UUID bytes_ getnode int_ main os platform sys uuid1 uuid3 uuid4 uuid5 "
        "uuid6 uuid7 uuid8"
    ),
    "warnings": (
        "WarningMessage catch_warnings defaultaction deprecated filters filterwarnings formatwarning onceregistry "
        "resetwarnings showwarning simplefilter sys warn warn_explicit"
    ),
    "weakref": (
        "CallableProxyType KeyedRef ProxyType ProxyTypes ReferenceType WeakKeyDictionary WeakMethod WeakSet "
        "WeakValueDictionary finalize getweakrefcount getweakrefs itertools proxy ref sys"
    ),
    "zipfile": (
        "BZIP2_VERSION BadZipFile BadZipfile CompleteDirs DEFAULT_VERSION FastLookup LZMACompressor "
        "LZMADecompressor LZMA_VERSION LargeZipFile MAX_EXTRACT_VERSION Path PyZipFile ZIP64_LIMIT ZIP64_VERSION "
        "ZIP_BZIP2 ZIP_DEFLATED ZIP_FILECOUNT_LIMIT ZIP_LZMA ZIP_MAX_COMMENT ZIP_STORED ZIP_ZSTANDARD "
        "ZSTANDARD_VERSION ZipExtFile ZipFile ZipInfo binascii bz2 compressor_names contextlib crc32 error "
        "importlib io is_zipfile itertools lzma main os pathlib posixpath shutil sizeCentralDir sizeEndCentDir "
        "sizeEndCentDir64 sizeEndCentDir64Locator sizeFileHeader stat stringCentralDir stringEndArchive "
        "stringEndArchive64 stringEndArchive64Locator stringFileHeader struct structCentralDir structEndArchive "
        "structEndArchive64 structEndArchive64Locator structFileHeader sys threading time zlib"
    ),
    "zlib": (
        "DEFLATED DEF_BUF_SIZE DEF_MEM_LEVEL MAX_WBITS ZLIBNG_VERSION ZLIB_RUNTIME_VERSION ZLIB_VERSION "
        "Z_BEST_COMPRESSION Z_BEST_SPEED Z_BLOCK Z_DEFAULT_COMPRESSION Z_DEFAULT_STRATEGY Z_FILTERED Z_FINISH "
        "Z_FIXED Z_FULL_FLUSH Z_HUFFMAN_ONLY Z_NO_COMPRESSION Z_NO_FLUSH Z_PARTIAL_FLUSH Z_RLE Z_SYNC_FLUSH "
        "Z_TREES adler32 adler32_combine compress compressobj crc32 crc32_combine decompress decompressobj error"
    ),
}
