//! The commands that every window may run, each with its arguments and its operation. The shell's build reads
//! their names from this file too.

commands! {
    lock_acquire(operations::LockAcquire) => |app, args, _window| app.lock_acquire(args).await;
    lock_renew(operations::LockWithToken) => |app, args, _window| app.lock_renew(args).await;
    lock_release(operations::LockWithToken) => |app, args, _window| app.lock_release(args).await;
    lock_status(operations::LockStatusRequest) => |app, args, _window| app.lock_status(args).await;
    revision_list(operations::RevisionList) => |app, args, _window| app.revision_list(args).await;
    revision_diff(operations::RevisionDiff) => |app, args, _window| app.revision_diff(args).await;
    revision_rollback(operations::RevisionRollback) => |app, args, _window| app.revision_rollback(args).await;
    revision_compact(operations::RevisionCompact) => |app, args, _window| app.revision_compact(args).await;
    asset_list(operations::AssetList) => |app, args, _window| app.asset_list(args).await;
    asset_add_files(operations::AssetAddFiles) => |app, args, window| app.asset_add_files(args, window).await;
    asset_rename(operations::AssetRename) => |app, args, _window| app.asset_rename(args).await;
    asset_remove(operations::AssetRemove) => |app, args, _window| app.asset_remove(args).await;
    asset_restore(operations::AssetRequest) => |app, args, _window| app.asset_restore(args).await;
    asset_zombies(operations::AssetZombies) => |app, args, _window| app.asset_zombies(args).await;
    asset_set_owner(operations::AssetMove) => |app, args, _window| app.asset_set_owner(args).await;
    cache_stats(IgnoredAny) => |app, _args, _window| Ok(app.cache_stats());
    cache_gc(IgnoredAny) => |app, _args, _window| Ok(app.cache_gc());
    ttl_policy_get(operations::TtlPolicyGet) => |app, args, _window| app.ttl_policy(args.root).await;
    ttl_policy_set(operations::TtlPolicySet) => |app, args, _window| app.set_ttl_policy(args.root, args.policy).await;
    ttl_run(IgnoredAny) => |app, _args, _window| Ok(app.ttl_run());
    hash_list(operations::HashList) => |app, args, window| app.hash_list(args, window.into()).await;
    hash_name(operations::HashNameRequest) => |app, args, window| app.hash_name(args, window.into()).await;
    hash_record(operations::HashRecord) => |app, args, window| app.hash_record(args, window.into()).await;
    hash_verify(operations::HashVerify) => |app, args, window| app.hash_verify(args, window.into()).await;
    hash_migrate(operations::HashMigrate) => |app, args, window| app.hash_migrate(args, window.into()).await;
}
