"""Mote by Conan 2: `conan create packaging/conan --version 0.9.0`."""
import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain
from conan.tools.files import copy, get, rmdir
from conan.tools.gnu import PkgConfigDeps

required_conan_version = ">=2.0"


class MoteConan(ConanFile):
    name = "mote"
    description = "File transfers with libcurl's interface in a fraction of its memory"
    license = "MIT"
    url = homepage = "https://mote.example.org"
    topics = ("http", "ftp", "sftp", "network")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": True}

    def configure(self):
        self.settings.rm_safe("compiler.cppstd")
        self.settings.rm_safe("compiler.libcxx")

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("this recipe builds Mote on Linux")

    def requirements(self):
        self.requires("brotli/[>=1.0 <2]")
        self.requires("libnghttp2/[>=1.50 <2]")
        self.requires("libssh2/[>=1.10 <2]")
        self.requires("openssl/[>=3 <4]")
        self.requires("zlib/[>=1.2.11 <2]")
        self.requires("zstd/[>=1.5 <2]")

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()
        tc = CMakeToolchain(self, generator="Ninja")
        tc.cache_variables["MOTE_WITHOUT"] = "gssapi;idn;psl"
        tc.cache_variables["MOTE_LATE"] = "OFF"
        tc.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        for name in ("cmake", "pkgconfig"):  # CMakeDeps and PkgConfigDeps write the consumer's
            rmdir(self, os.path.join(self.package_folder, "lib", name))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "mote")
        self.cpp_info.set_property("cmake_target_name", "mote::mote" if self.options.shared else "mote::static")
        self.cpp_info.set_property("pkg_config_name", "mote")
        self.cpp_info.includedirs = [f"include/mote-{self.version.split('.')[0]}"]
        self.cpp_info.libs = ["mote"] if self.options.shared else [":libmote.a"]
        self.cpp_info.system_libs = ["pthread", "resolv"]
